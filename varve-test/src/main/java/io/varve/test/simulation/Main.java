package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// Runs the histories of some seeds, in a JVM that was started for that with
/// [Simulation#jvmOptions]. Writes a line that starts with [#DONE] for each that showed no fault of
/// the store; all other lines are for a reader. Ends with 1 at the first that did.
public final class Main {
  /// What the line of a history starts with that is over; the number of its commits follows.
  public static final String DONE = "done ";

  private Main() {}

  /// Arguments: the first seed, the last one, the kinds of faults joined by commas, the most steps,
  /// the most threads, and whether to trace (`true` or `false`).
  public static void main(String... arguments) {
    long first = Long.parseLong(arguments[0]);
    long last = Long.parseLong(arguments[1]);
    var options =
        new SimulationOptions(
            kinds(arguments[2]), Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
    boolean traced = Boolean.parseBoolean(arguments[5]);
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    for (long seed = first; seed <= last; seed++) {
      try {
        SimulationResult result = Simulation.run(seed, options, traced ? out::println : null);
        if (traced) {
          out.println(result);
        }
        out.println(DONE + result.commits());
      } catch (SimulationFailedError e) {
        out.println(describe(e));
        System.exit(1);
      }
    }
  }

  private static Set<FaultKind> kinds(String names) {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    Arrays.stream(names.split(",", -1)).map(FaultKind::valueOf).forEach(kinds::add);
    return kinds;
  }

  private static String describe(Throwable e) {
    var text = new StringWriter();
    e.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }
}
