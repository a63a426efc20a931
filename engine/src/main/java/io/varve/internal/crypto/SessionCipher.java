package io.varve.internal.crypto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/// Encrypts with the key of one purpose and session, by AES-256-GCM. The nonce has 12 bytes: a
/// domain (4) and a number (8), little-endian. The caller sees to it that no two calls of [#seal]
/// have the same number; [#open] finds any change of text, tag, nonce or additional data.
///
/// For any number of threads.
public final class SessionCipher {
  /// How much longer a text is when it is encrypted.
  public static final int TAG_BYTES = 16;

  private static final int NONCE_BYTES = 12;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final SecretKey key;
  private final CipherPool ciphers;

  SessionCipher(SecretKey key, CipherPool ciphers) {
    this.key = key;
    this.ciphers = ciphers;
  }

  /// Encrypts `bytes` bytes of `text` from `offset` on in place; the tag comes after them.
  ///
  /// @param number that no other call for this session has
  /// @param additional what is checked with the text, but not encrypted
  public void seal(int domain, long number, byte[] additional, byte[] text, int offset, int bytes) {
    Cipher cipher = ciphers.take();
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, nonce(domain, number));
      cipher.updateAAD(additional);
      cipher.doFinal(text, offset, bytes, text, offset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("encryption failed; no byte was written", e);
    }
    ciphers.putBack(cipher);
  }

  /// Decrypts `bytes` bytes of `sealed`, the tag included, into `text`.
  ///
  /// @return whether they are what [#seal] made for this nonce and additional data; if not, what is
  ///   in `text` means nothing
  public boolean open(
      int domain,
      long number,
      byte[] additional,
      byte[] sealed,
      int offset,
      int bytes,
      byte[] text,
      int textOffset) {
    if (bytes < TAG_BYTES) {
      return false;
    }
    Cipher cipher = ciphers.take();
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, nonce(domain, number));
      cipher.updateAAD(additional);
      cipher.doFinal(sealed, offset, bytes, text, textOffset);
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("decryption failed", e);
    }
    ciphers.putBack(cipher);
    return true;
  }

  private static GCMParameterSpec nonce(int domain, long number) {
    byte[] nonce = new byte[NONCE_BYTES];
    INT.set(nonce, 0, domain);
    LONG.set(nonce, Integer.BYTES, number);
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce);
  }
}
