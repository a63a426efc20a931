package io.varve.cache.internal.marshal;

import java.io.ObjectInputFilter;
import java.util.ArrayDeque;
import java.util.Deque;

/// Limits on one object that is read, so that hostile bytes take neither all memory nor all time.
/// For one object and thread.
final class ReadLimits implements ObjectInputFilter {
  /// A deeper nest of objects may overflow the stack.
  private static final int DEPTH_MAX = 500;

  /// Hashing collections within collections can take time that doubles with each.
  private static final int NESTED_COLLECTIONS_MAX = 20;

  /// Hash tables that are read are made for up to eight times the entries that they have, of which
  /// each takes a byte at least; the shortest tables are larger.
  private static final int ELEMENTS_PER_BYTE_MAX = 8;

  private static final int TABLE_LENGTH_MIN = 64;

  private final long arrayLengthMax;

  /// Depths at which collections are, each within the one before.
  private final Deque<Long> collections = new ArrayDeque<>();

  ReadLimits(int byteCount) {
    this.arrayLengthMax = TABLE_LENGTH_MIN + (long) ELEMENTS_PER_BYTE_MAX * byteCount;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    boolean isWithin =
        info.depth() <= DEPTH_MAX
            && info.arrayLength() <= arrayLengthMax
            && nestedCollections(info) <= NESTED_COLLECTIONS_MAX;
    return isWithin ? Status.UNDECIDED : Status.REJECTED;
  }

  /// The class of an object is reported once for all of its class, but each collection reports the
  /// array that it needs.
  private int nestedCollections(FilterInfo info) {
    if (info.arrayLength() >= 0) {
      while (!collections.isEmpty() && collections.peek() >= info.depth()) {
        collections.pop();
      }
      collections.push(info.depth());
    }
    return collections.size();
  }
}
