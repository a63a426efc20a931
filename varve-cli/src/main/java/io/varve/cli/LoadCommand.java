package io.varve.cli;

import io.varve.Durability;
import io.varve.Store;
import io.varve.VarveException;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Interrupts;
import io.varve.cli.console.Progress;
import io.varve.cli.console.ProgressUnit;
import io.varve.cli.console.Shutdown;
import io.varve.cli.documents.Documents;
import io.varve.cli.transfer.BatchLoader;
import io.varve.cli.transfer.BatchLoader.Totals;
import io.varve.cli.transfer.Incoming;
import io.varve.cli.transfer.JsonLine;
import io.varve.cli.transfer.LoadRun;
import io.varve.cli.transfer.RecordSource;
import io.varve.cli.transfer.SourceFormat;
import io.varve.cli.transfer.SourceOptions;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "load",
    description = "Load entries from CSV, JSON Lines, files, an RDB file of Redis, or an SQL dump.",
    footer =
        """

        What 'dump' wrote is loaded as it is, into the spaces that it names. Of other
        CSV and JSON, --key names the column or field of the key (a JSON pointer reaches
        deeper) and --value that of the value; without --value the value is the whole
        row as a JSON object, or the whole line. Of a directory or zip, paths are the
        keys and contents the values; the files of the store itself are left out. A file
        whose name ends in .gz after that of its format is unpacked.
        Of an RDB file of Redis, database N goes to the space dbN: strings as they are,
        all else as JSON. Of an SQL dump of H2 or SQLite, each table goes to the space
        of its name: the primary key is the key, the row a JSON object. Views, triggers
        and users are passed over.
        Of entries with the same key the last one stays. After an error in the input, or
        Ctrl-C, what was read before it is loaded, and --skip leaves that out the next
        time.

        Examples:
          varve load people.csv --space people --key id
          varve load people.csv --space people --key id --as documents
          varve load events.jsonl --space events --key /meta/id --batch 1000
          varve load src/ --space files
          varve load dump.rdb
          varve load shop.sql --table people --space people --as documents
          varve dump -s old | varve load --format jsonl -s new -\
        """)
final class LoadCommand implements Callable<Integer> {
  /// What is loaded.
  enum Kind {
    ENTRIES,
    DOCUMENTS
  }

  private final Stores stores;

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "A file, a directory or a zip; - is standard input.")
  String source = "";

  @Option(
      names = "--space",
      paramLabel = "NAME",
      description = "The space to load into, made if there is none.")
  @Nullable String space;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "csv, tsv, ssv (semicolons), jsonl, files, rdb, h2 or sqlite. Default: by what SOURCE is"
              + " and ends in.")
  @Nullable SourceFormat format;

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      description = "Column name or number (from 1), JSON field or pointer. Default: column 1.")
  @Nullable String key;

  @Option(names = "--value", paramLabel = "FIELD", description = "Likewise, for the value.")
  @Nullable String value;

  @Option(
      names = "--as",
      paramLabel = "KIND",
      description =
          "entries, or documents: then numbers, true and false of a CSV are that in JSON, and empty"
              + " fields null; 'query' and 'index' know the space. Default: entries.")
  Kind kind = Kind.ENTRIES;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Of an SQL dump, the one table to load. Default: all, each into its own space.")
  @Nullable String table;

  @Option(names = "--no-header", description = "The first line of a CSV is a row like the others.")
  boolean noHeader;

  @Option(
      names = "--batch",
      paramLabel = "COUNT",
      description = "Entries in one transaction. Default: ${DEFAULT-VALUE}.",
      defaultValue = "500")
  int batch;

  @Option(
      names = "--threads",
      paramLabel = "COUNT",
      description = "Transactions under way at a time. Default: ${DEFAULT-VALUE}.",
      defaultValue = "8")
  int threads;

  @Option(
      names = "--durability",
      paramLabel = "NAME",
      description = "POWER_LOSS, PROCESS_CRASH or BACKGROUND. Default: POWER_LOSS.")
  Durability durability = Durability.POWER_LOSS;

  @Option(
      names = "--skip",
      paramLabel = "COUNT",
      description = "Leave out the first entries, which an interrupted load has loaded.")
  long skipped;

  @Mixin final ResultOptions result = new ResultOptions();

  LoadCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    requirePositive("--batch", batch);
    requirePositive("--threads", threads);
    CommandException.requireThreads(threads, BatchLoader.LANES_MAX);
    if (skipped < 0) {
      throw CommandException.usage("--skip is negative: skip=" + skipped + "; give 0 or more");
    }
    boolean documents = kind == Kind.DOCUMENTS;
    if (documents && space == null) {
      throw CommandException.usage("--as documents needs --space");
    }
    var options = new SourceOptions(space, key, value, !noHeader, documents, table);
    try (RecordSource records =
        SourceFormat.open(source, format, options, stores.stdio().in(), stores.directory())) {
      return stores.useOrCreate(store -> {
        try (var _ = stores.control(store)) {
          return load(store, records);
        }
      });
    } catch (IllegalArgumentException e) { // a value that an index cannot read
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw CommandException.usage(name + " must be 1 or more: " + value);
    }
  }

  private int load(Store store, RecordSource records) {
    if (kind == Kind.DOCUMENTS) {
      Documents.table(store, String.valueOf(space)).open(store);
    }
    long startNanos = System.nanoTime();
    skip(records);
    var loader = new BatchLoader(store, durability, threads, batch);
    try (loader;
        var progress =
            Progress.start(
                stores.stdio(),
                "load",
                ProgressUnit.BYTES,
                records.totalBytes(),
                records::bytesRead)) {
      var run = new LoadRun(loader);
      try (Shutdown.Hook _ = Shutdown.onSignal(() -> end(run, progress, startNanos, true))) {
        addAll(records, run);
        records.notes().forEach(note -> stores.stdio().err().println("varve: " + note));
      } catch (CommandException e) {
        end(run, progress, startNanos, e.exitCode() == ExitCode.INTERRUPTED);
        throw e;
      } finally {
        // Whatever ended the input: what came before the end is loaded, and the user is notified.
        end(run, progress, startNanos, false);
      }
    } catch (VarveException e) {
      reportFailure(loader.totals());
      throw e;
    }
    return ExitCode.OK;
  }

  /// Batches that were committed concurrently with the one that failed are loaded: no prefix of the
  /// input, so none can be skipped.
  private void reportFailure(Totals loaded) {
    if (!Shutdown.isUnderWay()) {
      stores
          .stdio()
          .err()
          .println(
              "varve: "
                  + Figures.count(loaded.entries())
                  + " entries were loaded before that failed, from all over the input; the same"
                  + " command without --skip loads all of it, these again");
    }
  }

  /// What another run has loaded.
  private void skip(RecordSource records) {
    for (long i = 0; i < skipped; i++) {
      Interrupts.check();
      if (records.next() == null) {
        throw CommandException.usage("--skip is beyond the end of the input: entries=" + i);
      }
    }
  }

  private static void addAll(RecordSource records, LoadRun run) {
    for (Incoming next = records.next(); next != null; next = records.next()) {
      Interrupts.check();
      if (!run.add(next)) {
        return; // a signal has come
      }
    }
  }

  private void end(LoadRun run, Progress progress, long startNanos, boolean isInterrupted) {
    Totals totals = run.end();
    if (totals == null) {
      return; // it has ended, and the user was notified
    }
    progress.close(); // or the bar is mixed with the result
    report(totals, Duration.ofNanos(System.nanoTime() - startNanos));
    if (isInterrupted) {
      stores
          .stdio()
          .err()
          .println(
              "varve: interrupted: the first "
                  + Figures.count(skipped + run.taken())
                  + " entries of it are loaded; the same command with --skip "
                  + (skipped + run.taken())
                  + " continues after them");
    }
    stores.stdio().flush();
  }

  private void report(Totals totals, Duration time) {
    result.print(
        stores.stdio(),
        "loaded "
            + Figures.count(totals.entries())
            + " entries, "
            + Figures.bytes(totals.bytes())
            + ", in "
            + Figures.time(time)
            + ": "
            + Figures.rate(totals.entries(), time)
            + ", "
            + Figures.byteRate(totals.bytes(), time)
            + ", "
            + Figures.count(totals.commits(), "commit"),
        JsonLine.of("entries", totals.entries())
            .with("bytes", totals.bytes())
            .with("commits", totals.commits())
            .with("nanos", time.toNanos()));
  }
}
