package io.varve.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The sum of the hashes of index entries, whatever their order: two that differ have the same sum
/// once in 2^64.
///
/// For one thread.
final class EntrySum {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long count;
  private long sum;

  /// Adds an entry: the prefix, and then the key.
  void add(byte[] entry) {
    count++;
    sum += hash(entry);
  }

  boolean equalsSumOf(EntrySum other) {
    return count == other.count && sum == other.sum;
  }

  private static long hash(byte[] entry) {
    long hash = mix(entry.length);
    int at = 0;
    for (; at + Long.BYTES <= entry.length; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(entry, at));
    }
    for (; at < entry.length; at++) {
      hash = mix(hash ^ entry[at]);
    }
    return hash;
  }

  /// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
  /// generators, 2014).
  private static long mix(long value) {
    long mixed = value + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
