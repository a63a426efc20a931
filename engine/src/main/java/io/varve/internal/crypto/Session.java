package io.varve.internal.crypto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/// The random name of a stretch of encryption, from one open of a file to its end. It is in clear
/// next to what was encrypted in it, and a key of its own is derived from it.
public record Session(long high, long low) {
  /// The length of its bytes.
  public static final int BYTES = 16;

  private static final SecureRandom RANDOM = new SecureRandom();

  /// A new one.
  public static Session random() {
    return new Session(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /// Its bytes, little-endian: high, low.
  byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(high)
        .putLong(low)
        .array();
  }
}
