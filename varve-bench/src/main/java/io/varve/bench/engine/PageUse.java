package io.varve.bench.engine;

/// How often a store found a page in memory that it wanted, and how often it had to read one, since
/// it was opened.
///
/// @param hits pages found
/// @param loads pages read
public record PageUse(long hits, long loads) {
  /// What came since `before`.
  public PageUse since(PageUse before) {
    return new PageUse(hits - before.hits, loads - before.loads);
  }

  /// The share of pages that were found; 0 if none was wanted.
  public double hitRatio() {
    return hits == 0 ? 0 : (double) hits / (hits + loads);
  }
}
