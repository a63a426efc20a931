package io.varve;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A range of keys: from an inclusive lower bound to an exclusive upper bound, in unsigned byte
/// order, a shorter key before any longer one that it starts. Every other kind of bound is brought
/// to this form, since the key after `k` is `k` followed by a zero byte.
///
/// Immutable. Bounds are copied in.
///
/// @since 1.0
public final class Range {
  private static final Range ALL = new Range(new byte[0], null);

  private final byte[] from;
  private final byte @Nullable [] to;

  private Range(byte[] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  /// Every key.
  public static Range all() {
    return ALL;
  }

  /// The keys `from <= key < to`. Empty when `to <= from`.
  public static Range of(byte[] from, byte[] to) {
    return new Range(from.clone(), to.clone());
  }

  /// The keys `from <= key <= to`.
  public static Range closed(byte[] from, byte[] to) {
    return new Range(from.clone(), successor(to));
  }

  /// The one key given.
  public static Range exactly(byte[] key) {
    return closed(key, key);
  }

  /// The keys that start with `prefix`.
  public static Range prefix(byte[] prefix) {
    return new Range(prefix.clone(), prefixEnd(prefix));
  }

  /// The keys `key >= from`.
  public static Range atLeast(byte[] from) {
    return new Range(from.clone(), null);
  }

  /// The keys `key > from`.
  public static Range greaterThan(byte[] from) {
    return new Range(successor(from), null);
  }

  /// The keys `key < to`.
  public static Range lessThan(byte[] to) {
    return new Range(ALL.from, to.clone());
  }

  /// The keys `key <= to`.
  public static Range atMost(byte[] to) {
    return new Range(ALL.from, successor(to));
  }

  /// The keys that are in this range and in `other`.
  public Range intersect(Range other) {
    byte[] lower = Arrays.compareUnsigned(from, other.from) >= 0 ? from : other.from;
    byte @Nullable [] upper;
    if (to == null) {
      upper = other.to;
    } else if (other.to == null) {
      upper = to;
    } else {
      upper = Arrays.compareUnsigned(to, other.to) <= 0 ? to : other.to;
    }
    return new Range(lower, upper);
  }

  /// The inclusive lower bound; empty when there is none.
  public byte[] from() {
    return from.clone();
  }

  /// The exclusive upper bound, or null when there is none.
  public byte @Nullable [] to() {
    return to == null ? null : to.clone();
  }

  /// Whether `key` is in this range.
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(key, from) >= 0 && isBelowUpperBound(key);
  }

  /// Whether `key` is below the upper bound of this range.
  public boolean isBelowUpperBound(byte[] key) {
    return to == null || Arrays.compareUnsigned(key, to) < 0;
  }

  /// Whether no key can be in this range.
  public boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /// The smallest key above every key with this prefix, or null when there is none (all 0xff).
  private static byte @Nullable [] prefixEnd(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xff) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] end = Arrays.copyOf(prefix, last + 1);
    end[last]++;
    return end;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Range that
        && Arrays.equals(from, that.from)
        && Arrays.equals(to, that.to);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(from), Arrays.hashCode(to));
  }

  /// Names the lengths of the bounds only: user data stays out of logs.
  @Override
  public String toString() {
    return "Range[fromBytes="
        + from.length
        + ", toBytes="
        + (to == null ? "none" : to.length)
        + "]";
  }
}
