package io.varve.grid.migration;

import io.varve.infinispan.migration.CacheImport;
import io.varve.infinispan.migration.ImportOptions;
import io.varve.infinispan.migration.ImportReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Imports caches from the stores that Infinispan ships.
@Command(
    name = "import",
    description = {
      "Import caches from Infinispan's SoftIndexFileStore, SingleFileStore or RocksDB store.",
      "The source must not be in use, and is never changed. A cache that is then configured with a"
          + " varve-store at the target starts with all entries."
    },
    footer = {
      "",
      "Examples:",
      "  varve import --from-infinispan /opt/infinispan/server/data --to varve-data",
      "  varve import --from-infinispan data --to varve-data orders sessions"
    })
public final class ImportCommand implements Callable<Integer> {
  /// Something was left out, since it could not be read.
  public static final int EXIT_SKIPPED = 1;

  private static final long NANOS_BETWEEN_LINES = 1_000_000_000;

  @Spec CommandSpec spec;

  @Option(
      names = "--from-infinispan",
      required = true,
      paramLabel = "DIR",
      description = "Directory that the old stores name as their location.")
  Path source;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "DIR",
      description =
          "Directory that a varve-store is to name as its location; a node's is DATA/data, where"
              + " DATA is its own directory.")
  Path target;

  @Parameters(
      paramLabel = "CACHE",
      arity = "0..*",
      description = "Caches to import. Default: all that are found.")
  List<String> caches = List.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Infinispan's configuration of the caches, where keys are marshalled or grouped in"
              + " another way than by default.")
  @Nullable Path configuration;

  @Option(names = "--replace", description = "Replace what the target has of a cache.")
  boolean replace;

  @Option(
      names = "--skip-damaged",
      description = "Leave out what cannot be read, and say how much that was.")
  boolean skipDamaged;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    ImportOptions options =
        ImportOptions.of(source, target)
            .configuration(configuration)
            .replace(replace)
            .skipDamaged(skipDamaged);
    var importing = new CacheImport(options, new Lines(spec.commandLine().getErr())::imported);
    long skipped = 0;
    for (String cache : caches.isEmpty() ? importing.caches() : caches) {
      ImportReport report = importing.run(cache);
      out.printf(
          "%s: %,d entries, %,d bytes of values, from a %s%n",
          report.cache(), report.entries(), report.valueBytes(), report.source());
      report.skipped().forEach(reason -> out.println("  skipped: " + reason));
      if (report.skippedCount() > report.skipped().size()) {
        out.printf("  skipped in all: %,d%n", report.skippedCount());
      }
      out.flush();
      skipped += report.skippedCount();
    }
    return skipped == 0 ? 0 : EXIT_SKIPPED;
  }

  /// Prints now and then how far an import is.
  private static final class Lines {
    private final PrintWriter err;
    private long saidNanos = System.nanoTime();

    Lines(PrintWriter err) {
      this.err = err;
    }

    void imported(String cache, long entries, long about) {
      long now = System.nanoTime();
      if (now - saidNanos >= NANOS_BETWEEN_LINES) {
        saidNanos = now;
        err.printf("%s: %,d of about %,d entries%n", cache, entries, about);
        err.flush();
      }
    }
  }
}
