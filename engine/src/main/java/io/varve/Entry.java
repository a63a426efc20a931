package io.varve;

import java.util.Arrays;
import java.util.Objects;

/// A key and its value, both copies that belong to the caller. Two entries are equal when their
/// bytes are.
///
/// @param key the key, 0 to [Space#KEY_BYTES_MAX] bytes
/// @param value the value, 0 or more bytes
/// @since 1.0
public record Entry(byte[] key, byte[] value) {
  /// Makes an entry over the arrays given; they are not copied.
  public Entry {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Entry that
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
  }

  /// Names the lengths only: user data stays out of logs.
  @Override
  public String toString() {
    return "Entry[keyBytes=" + key.length + ", valueBytes=" + value.length + "]";
  }
}
