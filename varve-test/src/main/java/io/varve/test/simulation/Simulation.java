package io.varve.test.simulation;

import io.varve.test.SimulatedThreads;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs histories: a store is opened, used by several threads concurrently in all ways there are,
/// and closed or crashed, again and again. Its disk is slow, fails, fills up or pretends. Every
/// answer and every recovery is checked against what was committed, in the order in which it was.
///
/// A seed gives the same history each time: the same interleaving of all threads, the same calls of
/// the disk, the same outcome. The JVM needs the options that [SimulatedThreads] names.
public final class Simulation {
  /// Far more than any history of default length takes: a store that is at work for no end.
  private static final long TURNS_MAX = 8_000_000;

  /// In the history of one seed in so many, threads also stop at the engine's accesses to memory.
  static final int WOVEN_SHARE = 4;

  private Simulation() {}

  /// The options that a JVM needs to run histories, and a few that serve it: threads that were
  /// abandoned can be collected, and one thread needs no other collector. The warnings that a store
  /// logs of the faults it meets go nowhere.
  public static List<String> jvmOptions() {
    Module module = Simulation.class.getModule();
    return List.of(
        "--add-opens=java.base/java.lang="
            + (module.isNamed() ? module.getName() + ",ALL-UNNAMED" : "ALL-UNNAMED"),
        "-Djdk.trackAllThreads=false",
        "-XX:+UseSerialGC",
        "-Xmx2g", // disks, and copies of them, of histories that load in bulk
        // Any class that sets up nothing.
        "-Djava.util.logging.config.class=java.lang.Object");
  }

  /// Runs the history of a seed.
  ///
  /// @throws SimulationFailedError if the store did what it must not
  public static SimulationResult run(long seed, SimulationOptions options) {
    return run(seed, options, null);
  }

  /// Runs the history of a seed.
  ///
  /// @param lines takes what happens, line by line, or null
  /// @throws SimulationFailedError if the store did what it must not
  @SuppressWarnings(
      "exports") // of Nullable: for the tools of a program that has it, no one needs it
  public static SimulationResult run(
      long seed, SimulationOptions options, @Nullable Consumer<String> lines) {
    return Long.remainderUnsigned(seed, WOVEN_SHARE) == WOVEN_SHARE - 1
        ? WovenHistory.withoutDefect().run(seed, options, lines)
        : run(seed, options, lines, Planted.NOTHING);
  }

  /// Runs the history of a seed on stores with a defect.
  static SimulationResult run(
      long seed, SimulationOptions options, @Nullable Consumer<String> lines, Planted planted) {
    var threads = new SimulatedThreads(seed);
    threads.turnsMax(TURNS_MAX);
    var history = new History(seed, options, threads, new Trace(threads, lines), planted);
    try {
      threads.run(history);
    } catch (Throwable e) {
      throw new SimulationFailedError(seed, options, e);
    }
    return history.result();
  }
}
