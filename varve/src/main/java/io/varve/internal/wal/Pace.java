package io.varve.internal.wal;

/// Decides how many batches are under way at once.
final class Pace {
  private final int flusherCount;

  Pace(int flusherCount) {
    this.flusherCount = flusherCount;
  }

  /// Whether to write a batch for which `gathered` commits wait, while `others` write already.
  boolean mayServe(int others, int gathered) {
    if (others == 0) {
      return true;
    }
    return others < flusherCount && gathered >= (1 << others);
  }

  /// Whether a committing thread should write the batch itself; `gathered` counts it.
  boolean mayLead(int others, int gathered) {
    return mayServe(others, gathered);
  }
}
