package io.varve.bench.load;

/// The 64-bit FNV-1a hash of a number, byte by byte from the lowest, made non-negative: what YCSB's
/// `Utils.hash` computes.
final class Fnv {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 1099511628211L;

  private Fnv() {}

  static long hash(long value) {
    long hash = OFFSET_BASIS;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      hash = (hash ^ ((value >>> shift) & 0xff)) * PRIME;
    }
    return hash & Long.MAX_VALUE;
  }
}
