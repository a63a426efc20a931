package io.varve.test;

/// How much every build runs of what is random, as the guides state it ([TestingGuideTest]).
public final class BuildFigures {
  /// Simulated histories, in addition to up to 120 that are looked at for the methods they call.
  public static final int HISTORIES = 300;

  /// Histories within which each planted defect must be found.
  public static final int PLANTED_SEEDS = 200;

  /// Processes that are killed.
  public static final int KILLS = 50;

  /// The bytes of each sector that are inverted.
  public static final int INVERTED_BYTES = 16;

  /// The bytes of a sector, all of which are zeroed.
  public static final int SECTOR_BYTES = 512;

  /// States of a disk that are rebuilt from the system calls of real processes.
  public static final int CRASH_STATES = 2_000;

  /// Processes whose system calls fail.
  public static final int FAILING_PROCESSES = 16;

  /// Callers of each kind of thread that are interrupted at random.
  public static final int INTERRUPTED_CALLERS = 4;

  /// How often each of them is.
  public static final int INTERRUPTS = 300;

  private BuildFigures() {}
}
