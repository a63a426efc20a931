package io.varve.internal.tree;

/// What leaves add up to, about.
///
/// @param bytes on disk
/// @param count of them
/// @param countInMemory of those whose pages are on the heap
public record LeafSums(long bytes, long count, long countInMemory) {
  static final LeafSums NONE = new LeafSums(0, 0, 0);

  LeafSums plus(LeafSums other) {
    return new LeafSums(
        bytes + other.bytes, count + other.count, countInMemory + other.countInMemory);
  }

  /// Those of a whole of which a part was added up.
  LeafSums scaled(int wholeCount, int partCount) {
    return new LeafSums(
        bytes * wholeCount / partCount,
        count * wholeCount / partCount,
        countInMemory * wholeCount / partCount);
  }
}
