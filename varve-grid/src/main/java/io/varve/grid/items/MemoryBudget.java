package io.varve.grid.items;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Memory that all requests together may have for values of JSON. Those that find none wait, in the
/// order in which they came.
final class MemoryBudget {
  private static final int UNIT = 1 << 10;

  private final int unitsMax;
  private final Semaphore units;

  MemoryBudget(long bytesMax) {
    this.unitsMax = (int) Math.min(Integer.MAX_VALUE, bytesMax / UNIT);
    this.units = new Semaphore(unitsMax, /* fair= */ true);
  }

  /// Whether one request may have so much.
  boolean allows(long bytes) {
    return bytes / UNIT < unitsMax;
  }

  /// Does something that takes so much memory, which is allowed, when it is free.
  <T> T use(long bytes, Supplier<T> work) {
    int taken = (int) (bytes / UNIT) + 1;
    units.acquireUninterruptibly(taken);
    try {
      return work.get();
    } finally {
      units.release(taken);
    }
  }
}
