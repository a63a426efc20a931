package io.varve.query.internal.access;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One part of the prefixes of an index: turns the values of one attribute into bytes whose order
/// is that of the index. No part's bytes begin those of another.
///
/// - (PART-1) This is of values that are written whole. The order of the bytes is the order of
///   [io.varve.query.Values#compare], or its reverse, with nulls where the index has them; equal
///   values have equal bytes.
/// - (PART-2) A value of more than `runBytesMax` bytes is cut, and its bytes show it. Cut values
///   that begin alike are together and unordered. Equal ones have equal bytes still.
/// - (PART-3) Strings of a part with a key function are ordered by their keys; strings that are
///   equal have equal keys, but not the other way round.
///
/// Immutable.
public final class PartCodec {
  private static final int NULL_FIRST = 0x01;
  private static final int NULL_LAST = 0xfe;

  private final boolean isDescending;
  private final NullOrder nulls;
  private final @Nullable Function<String, byte[]> stringKeys;
  private final int runBytesMax;

  /// Makes a codec.
  ///
  /// @param stringKeys bytes in whose order strings come, or null for the order of code points
  public PartCodec(
      boolean isDescending,
      NullOrder nulls,
      @Nullable Function<String, byte[]> stringKeys,
      int runBytesMax) {
    this.isDescending = isDescending;
    this.nulls = nulls;
    this.stringKeys = stringKeys;
    this.runBytesMax = runBytesMax;
  }

  boolean isDescending() {
    return isDescending;
  }

  NullOrder nulls() {
    return nulls;
  }

  /// Whether strings are ordered by other keys than their code points.
  boolean hasStringKeys() {
    return stringKeys != null;
  }

  /// Whether a value, in its normal form, has an entry.
  boolean isIndexed(@Nullable Object normal) {
    return normal != null || nulls != NullOrder.ABSENT;
  }

  /// Writes a value in its normal form, which is indexed.
  ///
  /// @return how many bytes the sink has before what stands for the rest of a value that was cut,
  ///   or -1 if it was not
  int write(@Nullable Object normal, ByteSink sink) {
    if (normal == null) {
      writeNull(sink);
      return -1;
    }
    int start = sink.length();
    int cutLength =
        stringKeys != null && normal instanceof String text
            ? RunForm.write(stringKeys.apply(text), runBytesMax, sink.add(ValueForm.STRING))
            : ValueForm.write(normal, runBytesMax, sink);
    complement(start, sink);
    return cutLength;
  }

  void writeNull(ByteSink sink) {
    sink.add(nulls == NullOrder.FIRST ? NULL_FIRST : NULL_LAST);
  }

  /// Writes the least byte of all values but null.
  static void writeValuesStart(ByteSink sink) {
    sink.add(Math.min(ValueForm.TAG_MIN, 0xff - ValueForm.TAG_END));
  }

  /// Writes the byte that follows all values but null.
  static void writeValuesEnd(ByteSink sink) {
    sink.add(ValueForm.TAG_END);
  }

  void skip(PartReader reader) {
    if (isNull(reader)) {
      reader.skip(1);
      return;
    }
    reader.complement(isDescending);
    ValueForm.skip(reader);
    reader.complement(false);
  }

  /// Reads a value in its normal form; [PartReader#cutOffset()] returns whether it is whole. Not
  /// for parts with string keys.
  @Nullable Object read(PartReader reader) {
    if (isNull(reader)) {
      reader.skip(1);
      return null;
    }
    reader.complement(isDescending);
    Object value = ValueForm.read(reader);
    reader.complement(false);
    return value;
  }

  private static boolean isNull(PartReader reader) {
    int tag = reader.peek();
    return tag == NULL_FIRST || tag == NULL_LAST;
  }

  private void complement(int start, ByteSink sink) {
    if (isDescending) {
      sink.complementFrom(start);
    }
  }
}
