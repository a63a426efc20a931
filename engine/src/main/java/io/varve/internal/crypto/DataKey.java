package io.varve.internal.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The key of a store's data. It is random, made with the store and never changed; nothing is
/// encrypted with it but by the keys derived from it (HKDF with SHA-256, RFC 5869: the session is
/// the salt, the purpose the info).
public final class DataKey {
  /// The length of this key, and of every key here.
  static final int BYTES = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKey key;
  private final CipherPool ciphers = new CipherPool();

  /// What a derived key is for. One key for two purposes would have two users of its nonces.
  public enum Purpose {
    /// Images of pages.
    PAGES("varve pages"),
    /// Frames of the log.
    LOG("varve log");

    private final byte[] info;

    Purpose(String info) {
      this.info = info.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private DataKey(byte[] bytes) {
    key = new SecretKeySpec(bytes, "HKDF");
  }

  /// Takes over the bytes of a key, and wipes them.
  public static DataKey of(byte[] bytes) {
    DataKey key = new DataKey(bytes);
    Arrays.fill(bytes, (byte) 0);
    return key;
  }

  /// A new one.
  public static DataKey random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return of(bytes);
  }

  /// The bytes; to be wiped by the caller.
  byte[] bytes() {
    return key.getEncoded();
  }

  /// What encrypts for a purpose in a session.
  public SessionCipher cipher(Purpose purpose, Session session) {
    try {
      SecretKey derived =
          KDF.getInstance("HKDF-SHA256")
              .deriveKey(
                  "AES",
                  HKDFParameterSpec.ofExtract()
                      .addIKM(key)
                      .addSalt(session.bytes())
                      .thenExpand(purpose.info, BYTES));
      return new SessionCipher(derived, ciphers);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks HKDF with SHA-256", e);
    }
  }
}
