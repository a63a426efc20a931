package io.varve.test;

/// How much every build runs of what is random, as the guides say it ([TestingGuideTest]).
public final class BuildFigures {
  /// Simulated histories.
  public static final int HISTORIES = 600;

  /// Histories within which each planted defect must be found.
  public static final int PLANTED_SEEDS = 200;

  /// Processes that are killed.
  public static final int KILLS = 50;

  /// The bytes of each sector that are inverted.
  public static final int INVERTED_BYTES = 16;

  /// The bytes of a sector, all of which are zeroed.
  public static final int SECTOR_BYTES = 512;

  private BuildFigures() {}
}
