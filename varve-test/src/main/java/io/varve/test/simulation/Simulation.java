package io.varve.test.simulation;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs histories: a store is opened, used by several threads concurrently in all ways there are,
/// and closed or crashed, again and again. Its disk is slow, fails, fills up or pretends. Every
/// answer and every recovery is checked against what was committed, in the order in which it was.
///
/// A seed gives the same history each time: the same interleaving of all threads, the same calls of
/// the disk, the same outcome. The JVM needs the options that [io.varve.test.SimulatedThreads]
/// names.
public final class Simulation {
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
        : History.run(seed, options, lines, Planted.NOTHING);
  }
}
