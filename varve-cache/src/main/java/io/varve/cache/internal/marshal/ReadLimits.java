package io.varve.cache.internal.marshal;

import java.io.ObjectInputFilter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Limits on one object that is read, so that hostile bytes take neither all memory nor all time.
/// For one object and thread. What they would refuse is refused when it is written: [WriteLimits].
final class ReadLimits implements ObjectInputFilter {
  /// A deeper nest of objects may overflow the stack.
  static final int DEPTH_MAX = 500;

  /// Hashing sets within sets can take time that doubles with each. Lists and arrays are not hashed
  /// when they are read, and [HashingCosts] limits those in sets.
  static final int NESTED_TABLES_MAX = 20;

  /// Hash tables that are read are made for up to eight times the entries that they have, of which
  /// each takes a byte at least; the shortest tables are larger.
  private static final int ELEMENTS_PER_BYTE_MAX = 8;

  private static final int TABLE_LENGTH_MIN = 64;

  private final long arrayLengthMax;

  /// Depths at which hash tables are, each within the one before.
  private final Deque<Long> tables = new ArrayDeque<>();

  private @Nullable String exceeded;

  ReadLimits(int byteCount) {
    this.arrayLengthMax = TABLE_LENGTH_MIN + (long) ELEMENTS_PER_BYTE_MAX * byteCount;
  }

  /// Which limit was exceeded; null if none was.
  @Nullable String exceeded() {
    return exceeded;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    boolean isWithin =
        isWithin("levels", info.depth(), DEPTH_MAX)
            && isWithin("arrayLength", info.arrayLength(), arrayLengthMax)
            && isWithin("nestedHashTables", nestedTables(info), NESTED_TABLES_MAX);
    return isWithin ? Status.UNDECIDED : Status.REJECTED;
  }

  private boolean isWithin(String name, long value, long max) {
    if (value > max) {
      exceeded = name + "=" + value + ", max=" + max;
    }
    return value <= max;
  }

  /// The class of an object is reported once for all of its class, but each hash table reports the
  /// array that it needs.
  private int nestedTables(FilterInfo info) {
    if (info.serialClass() == Map.Entry[].class) {
      while (!tables.isEmpty() && tables.peek() >= info.depth()) {
        tables.pop();
      }
      tables.push(info.depth());
    }
    return tables.size();
  }
}
