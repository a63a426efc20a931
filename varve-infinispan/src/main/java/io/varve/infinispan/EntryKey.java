package io.varve.infinispan;

import io.varve.Range;
import io.varve.Space;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.commons.util.IntSet;

/// The key of an entry in the space of entries. All entries of a segment are together. So to
/// publish, count or remove some segments is to do so with as many ranges, or fewer.
///
/// | offset | bytes | field   | meaning                                        |
/// |-------:|------:|---------|------------------------------------------------|
/// |      0 |     2 | segment | unsigned, big-endian: byte order is their order |
/// |      2 |       | key     | as Infinispan marshalled it                    |
final class EntryKey {
  /// The most segments that a cache may have: one more than fit in two bytes as a number.
  static final int SEGMENTS_MAX = 1 << 16;

  static final int SEGMENT_BYTES = 2;

  /// The longest marshalled key. It leaves bytes for what [ExpiryKey] puts before it.
  static final int MARSHALLED_BYTES_MAX =
      Space.KEY_BYTES_MAX - SEGMENT_BYTES - ExpiryKey.TIME_BYTES;

  private EntryKey() {}

  /// The key of an entry.
  ///
  /// @throws KeyLengthException if the marshalled key is too long
  static byte[] of(int segment, ByteBuffer marshalled) {
    int length = marshalled.getLength();
    if (length > MARSHALLED_BYTES_MAX) {
      throw new KeyLengthException(
          "marshalled key too long: keyBytes="
              + length
              + ", max="
              + MARSHALLED_BYTES_MAX
              + "; use shorter keys, or a hash of each");
    }
    byte[] key = new byte[SEGMENT_BYTES + length];
    putSegment(key, segment);
    System.arraycopy(marshalled.getBuf(), marshalled.getOffset(), key, SEGMENT_BYTES, length);
    return key;
  }

  /// The key of the same entry in another segment.
  static byte[] inSegment(int segment, byte[] key) {
    byte[] moved = key.clone();
    putSegment(moved, segment);
    return moved;
  }

  static int segment(byte[] key) {
    return (key[0] & 0xff) << 8 | (key[1] & 0xff);
  }

  /// What Infinispan marshalled, not copied.
  static ByteBuffer marshalled(byte[] key) {
    return ByteBufferImpl.create(key, SEGMENT_BYTES, key.length - SEGMENT_BYTES);
  }

  /// The ranges of keys that make up `segments`, in order: one for each run of segments without a
  /// gap.
  static List<Range> ranges(IntSet segments) {
    int[] sorted = segments.intStream().sorted().toArray();
    List<Range> ranges = new ArrayList<>();
    for (int first = 0, next; first < sorted.length; first = next) {
      next = first + 1;
      while (next < sorted.length && sorted[next] == sorted[next - 1] + 1) {
        next++;
      }
      ranges.add(range(sorted[first], sorted[next - 1] + 1));
    }
    return ranges;
  }

  /// The range of keys of each of `segments`.
  static List<Range> rangeOfEach(IntSet segments) {
    return segments.intStream().mapToObj(segment -> range(segment, segment + 1)).toList();
  }

  /// The keys of segments `from` (inclusive) to `to` (exclusive). Segments beyond those that a
  /// cache can have are empty.
  private static Range range(int from, int to) {
    if (from >= SEGMENTS_MAX) {
      return Range.of(new byte[0], new byte[0]);
    }
    return to >= SEGMENTS_MAX ? Range.atLeast(start(from)) : Range.of(start(from), start(to));
  }

  private static byte[] start(int segment) {
    byte[] start = new byte[SEGMENT_BYTES];
    putSegment(start, segment);
    return start;
  }

  private static void putSegment(byte[] key, int segment) {
    key[0] = (byte) (segment >>> 8);
    key[1] = (byte) segment;
  }

  /// Whether one of `ranges` holds the key.
  static boolean isIn(List<Range> ranges, byte[] key) {
    return ranges.stream().anyMatch(range -> range.contains(key));
  }
}
