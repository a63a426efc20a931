package io.varve.grid.guard.entry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.util.EntrySizeCalculator;
import org.infinispan.container.impl.BoundedSegmentedDataContainer;
import org.infinispan.container.impl.PeekableTouchableMap;
import org.infinispan.util.concurrent.DataOperationOrderer;

/// The entries in memory of a cache that several nodes share, bounded by what each counts as.
///
/// (MEMORY-2) What is evicted is removed from the map of its segment too. Infinispan's container
/// does that only where it counts entries itself: with a count of others it held each entry that
/// was ever written, until the heap was full.
public final class SegmentedEntries extends BoundedSegmentedDataContainer<Object, Object> {
  SegmentedEntries(int segments, long countMax, EntrySizeCalculator<Object, Object> count) {
    super(segments, countMax, count);
  }

  @Override
  public void start() {
    super.start();
    orderer = new Evictions(orderer);
  }

  /// The container itself orders evictions alone, each before the lock of its key is released.
  private final class Evictions extends DataOperationOrderer {
    private final DataOperationOrderer all;

    private Evictions(DataOperationOrderer all) {
      this.all = all;
    }

    @Override
    public CompletionStage<Operation> orderOn(Object key, CompletionStage<Operation> register) {
      PeekableTouchableMap<Object, Object> segment = maps.get(getSegmentForKey(key));
      if (segment != null) { // Another node may own it by now.
        segment.remove(key); // MEMORY-2
      }
      return all.orderOn(key, register);
    }

    @Override
    public void completeOperation(
        Object key, CompletableFuture<Operation> register, Operation operation) {
      all.completeOperation(key, register, operation);
    }
  }
}
