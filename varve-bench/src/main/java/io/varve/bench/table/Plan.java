package io.varve.bench.table;

import io.varve.bench.engine.Promise;
import io.varve.bench.measure.Timing;
import java.util.List;

/// How large and how long a run is.
///
/// @param threads thread counts of the cells
/// @param batches changes per commit, where a table varies them
/// @param timing of each cell
/// @param size of the data: entries, or megabytes per cell for blobs
/// @param cacheBytes the budget for cached data
/// @param promise of commits, where a table does not specify it
public record Plan(
    List<Integer> threads,
    List<Integer> batches,
    Timing timing,
    int size,
    long cacheBytes,
    Promise promise) {
  /// Copies the lists.
  public Plan {
    threads = List.copyOf(threads);
    batches = List.copyOf(batches);
  }
}
