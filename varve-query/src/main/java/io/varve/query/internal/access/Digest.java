package io.varve.query.internal.access;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// Stands for the rest of a value that is too long for an index: values with one digest are equal.
/// 128 bits of SHA-256, so that no two values are made to meet on purpose either.
final class Digest {
  static final int BYTES = 16;

  private Digest() {}

  static byte[] of(byte[] value) {
    try {
      return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(value), BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }
}
