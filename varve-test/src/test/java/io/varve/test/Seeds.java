package io.varve.test;

/// Runs a history for many seeds, and names the seed of one that fails.
///
/// `-Dvarve.seed=n` runs one seed alone, `-Dvarve.seeds.first=n` starts elsewhere, and
/// `-Dvarve.seeds.factor=n` runs so many times as many.
final class Seeds {
  private Seeds() {}

  /// A history made from a seed.
  @FunctionalInterface
  interface History {
    void run(long seed) throws Exception;
  }

  static void forEach(int count, History history) {
    Long only = Long.getLong("varve.seed");
    if (only != null) {
      run(only, history);
      return;
    }
    long first = Long.getLong("varve.seeds.first", 1);
    long limit = first + (long) count * Long.getLong("varve.seeds.factor", 1);
    for (long seed = first; seed < limit; seed++) {
      run(seed, history);
    }
  }

  private static void run(long seed, History history) {
    try {
      history.run(seed);
    } catch (Throwable e) {
      throw new AssertionError("history failed, run it again with -Dvarve.seed=" + seed, e);
    }
  }
}
