package io.varve.cli;

import io.varve.cli.console.ChildJvm;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Progress;
import io.varve.cli.console.ProgressUnit;
import io.varve.cli.console.Shutdown;
import io.varve.cli.transfer.JsonLine;
import io.varve.test.simulation.FaultKind;
import io.varve.test.simulation.Main;
import io.varve.test.simulation.Simulation;
import io.varve.test.simulation.SimulationOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "simulate",
    description = "Run histories of a store on a simulated disk, each from a seed, and check them.",
    footer =
        """

        A history opens a store, uses it with several threads in all ways there are, and closes or
        crashes it, again and again. Each answer is checked, and what every recovery finds. A seed
        gives the same history each time, so a failure is replayed by the command it prints.

        Faults: power (loss of power), kill (death of the process), io (calls that fail), full (no
        capacity), short (reads and writes cut short), flip (a bit inverted), misdirect (a read or
        write elsewhere), drop (a write or force not done), delay (slow calls), none; all is every one.
        Exit code 1 if the store did what it must not.

        Examples:
          varve simulate --seeds 1..10000
          varve simulate --seeds 1..2000 --faults power,kill --threads 8
          varve simulate --seeds 42 --trace | less\
        """)
final class SimulateCommand implements Callable<Integer> {
  /// Each thread of a simulation has a stack, and all of them run on one processor.
  private static final int THREADS_MAX = 1_024;

  private static final Pattern SEEDS = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");

  private final Stores stores;
  @Spec @Nullable CommandSpec spec;
  private final AtomicLong done = new AtomicLong();

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      description = "The seeds, both ends included, or a single one. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1..1000")
  String seeds = "1..1000";

  @Option(
      names = "--faults",
      paramLabel = "FAULT",
      split = ",",
      description = "What may go wrong, each time with one of these. Default: ${DEFAULT-VALUE}.",
      defaultValue = "all")
  List<String> faults = List.of("all");

  @Option(
      names = "--steps",
      paramLabel = "COUNT",
      description = "The most steps of a thread from an open to the next. Default: 40.")
  int steps = SimulationOptions.defaults().stepsMax();

  @Option(
      names = "--threads",
      paramLabel = "COUNT",
      description = "The most threads that use a store concurrently. Default: 5.")
  int threads = SimulationOptions.defaults().threadsMax();

  @Option(names = "--trace", description = "Print what happens, of a single seed.")
  boolean trace;

  @Mixin final ResultOptions result = new ResultOptions();

  SimulateCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() throws IOException {
    InheritedOptions.requireNone(spec, "its stores are simulated, with options from the seed");
    Matcher matcher = SEEDS.matcher(seeds);
    if (!matcher.matches()) {
      throw CommandException.usage("--seeds is a number or two, as in 1..1000: " + seeds);
    }
    long first = Long.parseLong(matcher.group(1));
    long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
    if (last < first || steps < 1 || threads < 1 || (trace && last > first)) {
      throw CommandException.usage(
          "--seeds must go up, --steps and --threads be 1 or more, and --trace takes one seed");
    }
    CommandException.requireThreads(threads, THREADS_MAX);
    return run(first, last, kinds());
  }

  private Set<FaultKind> kinds() {
    if (faults.contains("all")) {
      return EnumSet.allOf(FaultKind.class);
    }
    try {
      return faults.stream()
          .map(name -> FaultKind.valueOf(name.toUpperCase(Locale.ROOT)))
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "unknown fault among " + faults + "; see 'varve simulate --help'", e);
    }
  }

  private int run(long first, long last, Set<FaultKind> kinds) throws IOException {
    String names = kinds.stream().map(FaultKind::name).collect(Collectors.joining(","));
    long startNanos = System.nanoTime();
    Process process =
        ChildJvm.of(
                Main.class,
                Simulation.jvmOptions(),
                List.of(
                    Long.toString(first),
                    Long.toString(last),
                    names,
                    Integer.toString(steps),
                    Integer.toString(threads),
                    Boolean.toString(trace)))
            .start();
    int exitCode;
    try (Shutdown.Hook _ = Shutdown.onSignal(process::destroy);
        var _ =
            Progress.start(
                stores.stdio(), "simulate", ProgressUnit.COUNT, last - first + 1, done::get)) {
      follow(process);
      exitCode = awaitEnd(process);
    } finally {
      process.destroy();
    }
    Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
    report(first + done.get(), exitCode, names, time);
    return exitCode == 0 ? ExitCode.OK : ExitCode.NEGATIVE;
  }

  private void follow(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(Main.DONE)) {
        done.incrementAndGet();
      } else {
        stores.stdio().println(line);
      }
    }
  }

  private void report(long next, int exitCode, String names, Duration time) {
    JsonLine object = JsonLine.of("histories", done.get()).with("nanos", time.toNanos());
    if (exitCode != 0) {
      object.with("failedSeed", next).with("replay", "varve " + replay(next, names));
    }
    result.print(
        stores.stdio(),
        Figures.count(done.get())
            + " histories without a fault of the store in "
            + Figures.time(time)
            + ", "
            + Figures.rate(done.get(), time)
            + (exitCode == 0
                ? ""
                : "\nFAILED: seed " + next + ". Replay: varve " + replay(next, names)),
        object);
  }

  /// The arguments that run the history of one seed again as it ran here.
  String replay(long seed, String faultNames) {
    return "simulate --seeds "
        + seed
        + " --faults "
        + faultNames.toLowerCase(Locale.ROOT)
        + " --steps "
        + steps
        + " --threads "
        + threads
        + " --trace";
  }

  private static int awaitEnd(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw CommandException.interrupted();
    }
  }
}
