package io.varve.infinispan;

import java.util.concurrent.atomic.AtomicLongArray;

/// Which writes of a cache are under way, by stripes of keys.
///
/// A stripe's state is how many writes of its keys have begun, and how many of these have not
/// ended. Two equal states mean that no write began in between.
///
/// **Threads:** safe for any number of them.
final class StripedWrites {
  private static final int STRIPES = 4096; // a power of two: 32 KiB for each cache
  private static final int UNDER_WAY_BITS = 24;
  private static final long BEGIN = (1L << UNDER_WAY_BITS) + 1;

  private final AtomicLongArray states = new AtomicLongArray(STRIPES);

  private static int stripe(Object key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & STRIPES - 1;
  }

  /// The state of a key's stripe.
  long state(Object key) {
    return states.get(stripe(key));
  }

  /// How many writes are under way in a state.
  static int underWay(long state) {
    return (int) (state & (1L << UNDER_WAY_BITS) - 1);
  }

  void begin(Object key) {
    states.addAndGet(stripe(key), BEGIN);
  }

  void end(Object key) {
    states.decrementAndGet(stripe(key));
  }

  /// Begins a write of all keys.
  void beginAll() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      states.addAndGet(stripe, BEGIN);
    }
  }

  /// Ends a write of all keys.
  void endAll() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      states.decrementAndGet(stripe);
    }
  }
}
