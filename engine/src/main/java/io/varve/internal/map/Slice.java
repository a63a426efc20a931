package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Range;
import java.util.Arrays;

/// A range of keys and the direction in which a view shows it. All words about order here ("first",
/// "from", "next") mean the order of the view; the one place that turns them into byte order.
///
/// @param range the keys
/// @param descending whether greater keys come first
record Slice(Range range, boolean descending) {
  /// Every key, in byte order.
  static final Slice ALL = new Slice(Range.all(), false);

  /// The same keys in the other direction.
  Slice reversed() {
    return new Slice(range, !descending);
  }

  /// Moves to the first key. The cursor must be over the range of this slice.
  boolean first(Cursor cursor) {
    return descending ? cursor.last() : cursor.first();
  }

  /// Moves to the key after the current one.
  boolean next(Cursor cursor) {
    return descending ? cursor.previous() : cursor.next();
  }

  /// What of this slice comes after `key`, or at it if `inclusive`.
  Slice from(byte[] key, boolean inclusive) {
    return within(descending ? upTo(key, inclusive) : downTo(key, inclusive));
  }

  /// What of this slice comes before `key`, or at it if `inclusive`.
  Slice to(byte[] key, boolean inclusive) {
    return within(descending ? downTo(key, inclusive) : upTo(key, inclusive));
  }

  private Slice within(Range bounds) {
    return new Slice(range.intersect(bounds), descending);
  }

  private static Range upTo(byte[] key, boolean inclusive) {
    return inclusive ? Range.atMost(key) : Range.lessThan(key);
  }

  private static Range downTo(byte[] key, boolean inclusive) {
    return inclusive ? Range.atLeast(key) : Range.greaterThan(key);
  }

  /// The slice between two bounds that a caller asked for.
  ///
  /// @throws IllegalArgumentException if the bounds are the wrong way round, or outside of this
  ///   slice
  Slice between(byte[] from, boolean fromInclusive, byte[] to, boolean toInclusive) {
    int order = Arrays.compareUnsigned(from, to);
    if (descending ? order < 0 : order > 0) {
      throw new IllegalArgumentException("the bounds of a view are the wrong way round");
    }
    requireBound(descending ? mayEndAt(from, fromInclusive) : mayStartAt(from, fromInclusive));
    requireBound(descending ? mayStartAt(to, toInclusive) : mayEndAt(to, toInclusive));
    return from(from, fromInclusive).to(to, toInclusive);
  }

  /// The slice from a bound that a caller asked for.
  ///
  /// @throws IllegalArgumentException if the bound is outside of this slice
  Slice startingAt(byte[] key, boolean inclusive) {
    requireBound(descending ? mayEndAt(key, inclusive) : mayStartAt(key, inclusive));
    return from(key, inclusive);
  }

  /// The slice up to a bound that a caller asked for.
  ///
  /// @throws IllegalArgumentException if the bound is outside of this slice
  Slice endingAt(byte[] key, boolean inclusive) {
    requireBound(descending ? mayStartAt(key, inclusive) : mayEndAt(key, inclusive));
    return to(key, inclusive);
  }

  /// Whether the keys of this range from `key` on are a range to ask for: it starts no lower than
  /// this one, and no higher than this one ends. What it starts with need not be in this range. So
  /// a view may be narrowed to nothing at either end, as in the JDK's maps.
  private boolean mayStartAt(byte[] key, boolean inclusive) {
    byte[] to = range.to();
    return Arrays.compareUnsigned(inclusive ? key : keyAfter(key), range.from()) >= 0
        && (to == null || Arrays.compareUnsigned(key, to) <= 0);
  }

  /// The same for the keys of this range up to `key`.
  private boolean mayEndAt(byte[] key, boolean inclusive) {
    byte[] to = range.to();
    return Arrays.compareUnsigned(keyAfter(key), range.from()) >= 0
        && (to == null || Arrays.compareUnsigned(inclusive ? keyAfter(key) : key, to) <= 0);
  }

  private static byte[] keyAfter(byte[] key) {
    return Range.greaterThan(key).from();
  }

  private static void requireBound(boolean may) {
    if (!may) {
      throw new IllegalArgumentException("the bound is outside of the view that it would narrow");
    }
  }

  /// Whether the view shows `key` if it is present.
  boolean contains(byte[] key) {
    return range.contains(key);
  }

  /// Refuses to write a key that the view would not show.
  void requireContains(byte[] key) {
    if (!range.contains(key)) {
      throw new IllegalArgumentException("the key is outside of the view that it is written to");
    }
  }
}
