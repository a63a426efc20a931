package io.varve.test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Keys and values of tests.
final class Bytes {
  private Bytes() {}

  static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] of(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  static long toLong(byte @Nullable [] bytes) {
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
  }

  static String toText(byte @Nullable [] bytes) {
    return bytes == null ? "absent" : new String(bytes, StandardCharsets.UTF_8);
  }
}
