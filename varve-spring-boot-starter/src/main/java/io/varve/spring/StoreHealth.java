package io.varve.spring;

import io.varve.Statistics;
import io.varve.Store;
import java.util.Map;

/// What a health indicator reports of a store.
final class StoreHealth {
  private StoreHealth() {}

  /// Waits until all commits are durable, which fails once the log has.
  ///
  /// @throws io.varve.VarveException if the store has failed or is closed
  static Map<String, Object> details(Store store) {
    store.awaitDurable(store.lastCommit());
    Statistics now = store.statistics();
    return Map.of("diskBytes", now.disk().usedBytes(), "commits", now.commits().applied());
  }
}
