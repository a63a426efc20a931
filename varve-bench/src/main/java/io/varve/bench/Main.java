package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.Machine;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.report.Row;
import io.varve.bench.report.html.ReportPage;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import io.varve.bench.table.Tables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The head of `varve bench`.
@Command(
    name = "varve bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures Varve against other stores.",
      "Prints the limits of the machine, then medians of trials that alternate, each engine in a"
          + " JVM of its own, as CSV and as a summary with the ratio to the best peer."
    },
    subcommands = {ChildCommand.class, JmhCommand.class})
public final class Main implements Callable<Integer> {
  private static final int TRIALS = 3;

  /// In place of the name of a table.
  private static final String ALL = "all";

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "What to measure; 'list' shows what there is, 'all' takes every table.")
  private @Nullable String label;

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "Engines, in place of those of the table; 'list' shows the names.")
  private @Nullable List<String> engines;

  @Mixin private PlanOptions planOptions;

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "Trials of each engine (default: " + TRIALS + ").")
  private @Nullable Integer trials;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Heap of every engine's JVM (default: ${DEFAULT-VALUE}).")
  private String heap = "2g";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where to put data, on a real disk; must be new or empty, is removed at the end (default:"
              + " ${DEFAULT-VALUE}).")
  private Path directory = Path.of("bench-data");

  @Option(names = "--csv", paramLabel = "FILE", description = "Also write the rows to this file.")
  private @Nullable Path csv;

  @Option(
      names = "--html",
      paramLabel = "DIR",
      description = "Also write a page with charts, index.html, into this directory.")
  private @Nullable Path html;

  @Option(names = "--quick", description = "A smoke run: tiny data, short cells, one trial.")
  private boolean quick;

  /// Runs the benchmark named by the arguments and ends the process with its exit code.
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExitCodeExceptionMapper(failure ->
            switch (failure) {
              case ParameterException _ -> ExitCode.USAGE;
              case WrongAnswerException _ -> ChildJvm.WRONG_ANSWER_EXIT_CODE;
              default -> ExitCode.SOFTWARE;
            });
  }

  @Override
  public Integer call() {
    if (label == null) {
      throw new ParameterException(spec.commandLine(), "a table is missing; try 'list'");
    }
    if (label.equals("list")) {
      new Listing(spec.commandLine().getOut()).print();
      return 0;
    }
    List<Table> tables =
        switch (label) {
          case DeviceTrial.TABLE -> List.of();
          case ALL -> Tables.all();
          default -> List.of(table(label));
        };
    for (Table table : tables) {
      List<EngineType> types = types(table); // refuses unknown names before hours of work
      if (!label.equals(ALL) && types.stream().noneMatch(table::measures)) {
        throw new ParameterException(
            spec.commandLine(),
            "the table measures none of these engines: table="
                + label
                + ", engines="
                + String.join(",", labels(table))
                + "; it measures "
                + String.join(", ", table.engines()));
      }
    }
    try (var data = scratchDirectory()) {
      return run(tables, data) ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  private ScratchDirectory scratchDirectory() {
    try {
      ScratchDirectory.requireRealDisk(directory.toAbsolutePath());
      return ScratchDirectory.claim(directory.toAbsolutePath().normalize());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /// Measures the device, and then each table; after each, writes all that there is.
  ///
  /// @return whether no trial failed
  private boolean run(List<Table> tables, ScratchDirectory data) {
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    List<String> machine =
        new ArrayList<>(new Provenance(arguments, quick).lines(Clock.systemUTC()));
    machine.addAll(new Machine(data).lines());
    var first = new Report(out(), List.of());
    first.machine(machine);
    new DeviceTrial(data, quick).run(first::device);
    boolean sound = first.finish();
    List<Row> rows = new ArrayList<>(first.rows());
    var page =
        new ReportPage(VarveLabels.VARVE, Report.yardsticks(Contestants.all()), machine, rows);
    write(rows, page);
    for (Table table : tables) {
      var report = new Report(out(), types(table));
      sound &= run(table, data, report);
      rows.addAll(report.rows());
      page.add(report.section(table));
      write(rows, page);
    }
    return sound;
  }

  private boolean run(Table table, ScratchDirectory data, Report report) {
    Plan plan = planOptions.over(quick ? Quick.of(table.plan()) : table.plan());
    int trialCount = trials != null ? trials : quick ? 1 : TRIALS;
    List<EngineType> types = types(table);
    report.plan(table, plan, trialCount, heap, types);
    var alternation = new Alternation(table, plan, data, heap, Main.class);
    alternation.run(types.stream().filter(table::measures).toList(), trialCount, report);
    return report.finish();
  }

  private void write(List<Row> rows, ReportPage page) {
    if (csv != null) {
      Stream<String> lines = rows.stream().map(Row::toCsv);
      write(csv, Stream.concat(Stream.of(Row.CSV_HEADER), lines).toList());
    }
    if (html != null) {
      page.write(html);
    }
  }

  private static void write(Path file, List<String> lines) {
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private Table table(String name) {
    try {
      return Tables.named(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private List<String> labels(Table table) {
    return engines == null ? table.engines() : engines;
  }

  private List<EngineType> types(Table table) {
    List<EngineType> types = new ArrayList<>();
    for (String engine : labels(table)) {
      try {
        types.add(Contestants.named(engine));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    return types;
  }
}
