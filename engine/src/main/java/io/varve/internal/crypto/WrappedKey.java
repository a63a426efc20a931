package io.varve.internal.crypto;

import io.varve.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// A data key, encrypted by a key-encryption key with AES-256-GCM: what the `keys` file holds,
/// twice. All integers are little-endian.
///
/// | offset | bytes | field   | meaning                                                           |
/// |-------:|------:|---------|-------------------------------------------------------------------|
/// |      0 |     8 | magic   | `VARVEKEY` in ASCII                                               |
/// |      8 |     4 | version | [#VERSION]                                                        |
/// |     12 |     4 | changes | how often the key-encryption key was changed                      |
/// |     16 |    16 | storeId | high, low, as in the superblock                                   |
/// |     32 |    12 | nonce   | random                                                            |
/// |     44 |    48 | key     | the data key, encrypted (32), and the tag (16), which also covers bytes 0 to 31 |
/// |     92 |     2 | length  | of the id                                                         |
/// |     94 |       | id      | of the key-encryption key, in UTF-8                               |
/// |    508 |     4 | crc     | CRC-32C of every byte before                                      |
///
/// @param idHigh of the store
/// @param idLow of the store
/// @param changes of the key-encryption key since the store was made
/// @param keyId the id of the key-encryption key
/// @param nonce that the data key was encrypted with
/// @param sealed the data key, encrypted, and its tag
record WrappedKey(long idHigh, long idLow, int changes, String keyId, byte[] nonce, byte[] sealed) {
  static final int BYTES = 512;
  static final int VERSION = 1;

  /// The most bytes that the id of a key may have.
  static final int KEY_ID_BYTES_MAX = 255;

  private static final long MAGIC = 0x59454B4556524156L; // "VARVEKEY", little-endian
  private static final int CLEAR_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int SEALED_BYTES = DataKey.BYTES + SessionCipher.TAG_BYTES;
  private static final int CRC = BYTES - 4;
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Encrypts a data key.
  ///
  /// @param keyBytes of the key-encryption key
  static WrappedKey wrap(
      DataKey dataKey, byte[] keyBytes, String keyId, long idHigh, long idLow, int changes) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] plain = dataKey.bytes();
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, keyBytes, nonce, clear(idHigh, idLow, changes).array())
              .doFinal(plain);
      return new WrappedKey(idHigh, idLow, changes, keyId, nonce, sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("data key cannot be encrypted", e);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  /// The data key.
  ///
  /// @return null if the key-encryption key is another one
  @Nullable DataKey unwrap(byte[] keyBytes) {
    try {
      return DataKey.of(
          cipher(Cipher.DECRYPT_MODE, keyBytes, nonce, clear(idHigh, idLow, changes).array())
              .doFinal(sealed));
    } catch (AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("data key cannot be decrypted", e);
    }
  }

  private static Cipher cipher(int mode, byte[] keyBytes, byte[] nonce, byte[] clear)
      throws GeneralSecurityException {
    SecretKey key = new SecretKeySpec(keyBytes, "AES");
    Cipher cipher = Cipher.getInstance(CipherPool.TRANSFORMATION);
    cipher.init(mode, key, new GCMParameterSpec(SessionCipher.TAG_BYTES * Byte.SIZE, nonce));
    cipher.updateAAD(clear);
    return cipher;
  }

  private static ByteBuffer clear(long idHigh, long idLow, int changes) {
    return ByteBuffer.allocate(CLEAR_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(MAGIC)
        .putInt(VERSION)
        .putInt(changes)
        .putLong(idHigh)
        .putLong(idLow);
  }

  byte[] encode() {
    byte[] id = keyId.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(clear(idHigh, idLow, changes).array()).put(nonce).put(sealed);
    bytes.putShort((short) id.length).put(id);
    bytes.putInt(CRC, crc(bytes.array()));
    return bytes.array();
  }

  /// What the bytes hold, or null if their checksum is not right.
  ///
  /// @param where they come from, for messages
  /// @throws UnsupportedFormatException if they are of another version
  static @Nullable WrappedKey decode(byte[] block, String where) {
    ByteBuffer bytes = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getLong() != MAGIC || bytes.getInt(CRC) != crc(block)) {
      return null;
    }
    int version = bytes.getInt();
    if (version != VERSION) {
      throw new UnsupportedFormatException(
          "unknown version of a keys file: file="
              + where
              + ", version="
              + version
              + ", supported="
              + VERSION
              + "; open this store with the version of Varve that wrote it");
    }
    int changes = bytes.getInt();
    long idHigh = bytes.getLong();
    long idLow = bytes.getLong();
    byte[] nonce = new byte[NONCE_BYTES];
    bytes.get(nonce);
    byte[] sealed = new byte[SEALED_BYTES];
    bytes.get(sealed);
    byte[] keyId = new byte[Math.min(bytes.getShort() & 0xffff, KEY_ID_BYTES_MAX)];
    bytes.get(keyId);
    return new WrappedKey(
        idHigh, idLow, changes, new String(keyId, StandardCharsets.UTF_8), nonce, sealed);
  }

  private static int crc(byte[] block) {
    var crc = new CRC32C();
    crc.update(block, 0, CRC);
    return (int) crc.getValue();
  }
}
