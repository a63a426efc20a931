package io.varve.cache.internal.container;

/// Which segment a key in pages belongs to, by its bytes alone, so that it is the same in every
/// process. The hash is FNV-1a of 64 bits (Fowler, Noll, Vo), mixed at the end as in
/// SplittableRandom.
///
/// @param count the number of segments
record Segments(int count) {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  int of(byte[] key) {
    long hash = OFFSET;
    for (byte each : key) {
      hash = (hash ^ (each & 0xff)) * PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    return (int) Long.remainderUnsigned(hash ^ (hash >>> 33), count);
  }
}
