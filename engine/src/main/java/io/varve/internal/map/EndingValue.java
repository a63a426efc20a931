package io.varve.internal.map;

import io.varve.spi.SpaceIndex;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/// The bytes of a value that ends, and the index of a space of such values by their ends.
///
/// | offset | bytes | meaning                                                                   |
/// |-------:|------:|---------------------------------------------------------------------------|
/// |      0 |     8 | the end in milliseconds since 1970, big-endian with the sign bit flipped  |
/// |      8 |       | the value                                                                 |
public final class EndingValue {
  /// The end of what has none.
  public static final long NEVER = Long.MAX_VALUE;

  static final int END_BYTES = Long.BYTES;

  private EndingValue() {}

  /// When what is put at a time ends.
  ///
  /// @param nowMillis may be before 1970, and so negative
  /// @param lifeMillis above 0; [#NEVER] for no end
  /// @return [#NEVER] also for an end later than a long can hold
  static long end(long nowMillis, long lifeMillis) {
    return lifeMillis >= NEVER - Math.max(0, nowMillis) ? NEVER : nowMillis + lifeMillis;
  }

  /// Whether what ends then has ended by a time, which what has no end never does.
  public static boolean isOver(long endMillis, long nowMillis) {
    return endMillis <= nowMillis && endMillis != NEVER;
  }

  static byte[] of(long endMillis, byte[] value) {
    return ByteBuffer.allocate(END_BYTES + value.length)
        .putLong(endMillis ^ Long.MIN_VALUE)
        .put(value)
        .array();
  }

  /// The end of a stored value.
  ///
  /// @throws IllegalArgumentException if it is too short to have one
  public static long endMillis(byte[] stored) {
    if (stored.length < END_BYTES) {
      throw new IllegalArgumentException(
          "a value without an end in a table of values that end: bytes=" + stored.length);
    }
    return ByteBuffer.wrap(stored).getLong() ^ Long.MIN_VALUE;
  }

  static byte[] value(byte[] stored) {
    return Arrays.copyOfRange(stored, END_BYTES, stored.length);
  }

  /// The key of an index entry.
  public static byte[] key(byte[] indexEntry) {
    return Arrays.copyOfRange(indexEntry, END_BYTES, indexEntry.length);
  }

  /// The first bytes of index entries of ends up to a time are below this.
  public static byte[] prefixAfter(long millis) {
    long after = millis == NEVER ? NEVER : millis + 1; // no entry of the index ends at NEVER
    return ByteBuffer.allocate(END_BYTES).putLong(after ^ Long.MIN_VALUE).array();
  }

  /// Ends, then keys: what ends next is first. Values without an end are not in it.
  public static final class EndIndex implements SpaceIndex {
    /// The only one.
    public static final EndIndex INSTANCE = new EndIndex();

    private EndIndex() {}

    @Override
    public String name() {
      return "varve.end";
    }

    @Override
    public String id() {
      return "end(int64)";
    }

    @Override
    public boolean isUnique() {
      return false;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      if (endMillis(value) != NEVER) {
        prefixes.accept(Arrays.copyOf(value, END_BYTES));
      }
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return END_BYTES;
    }
  }
}
