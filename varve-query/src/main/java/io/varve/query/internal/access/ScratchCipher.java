package io.varve.query.internal.access;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Hides what is in one temporary file from those who read the disk. Its key is made at random and
/// is in memory alone: what a crash leaves on the disk can be read by nobody. The length stays.
///
/// A position of the file may be written once, since two texts under one part of a key stream tell
/// about each other. What is read is not authenticated. Immutable.
final class ScratchCipher {
  private static final String TRANSFORMATION = "AES/CTR/NoPadding";
  private static final int BLOCK_BYTES = 16;
  private static final int KEY_BYTES = 16;

  private final SecretKeySpec key;

  ScratchCipher() {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    key = new SecretKeySpec(random, "AES");
  }

  /// What encrypts, and just as well decrypts, the bytes from `offset` on, one after the other.
  Cipher at(long offset) {
    try {
      Cipher cipher = Cipher.getInstance(TRANSFORMATION);
      move(cipher, offset);
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + TRANSFORMATION, e);
    }
  }

  /// Has a cipher of [#at] continue with the bytes from `offset` on.
  void move(Cipher cipher, long offset) {
    // The counter of the block, as the cipher itself counts on.
    byte[] counter =
        ByteBuffer.allocate(BLOCK_BYTES).putLong(Long.BYTES, offset / BLOCK_BYTES).array();
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every cipher of " + TRANSFORMATION + " has counters", e);
    }
    cipher.update(new byte[(int) (offset % BLOCK_BYTES)]);
  }
}
