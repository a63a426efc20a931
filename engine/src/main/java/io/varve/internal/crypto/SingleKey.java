package io.varve.internal.crypto;

import io.varve.KeySource;
import io.varve.StoreKeyException;
import io.varve.internal.disk.SecretFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A source of one key, which is the answer to every id: whether it is the right one shows when it
/// is used. Its own id is its fingerprint, so that a message can distinguish two keys.
public final class SingleKey implements KeySource {
  private static final int FINGERPRINT_BYTES = 8;

  private final byte[] key;
  private final String id;

  /// Makes the source of a key; the array is the caller's.
  public SingleKey(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new StoreKeyException(
          "key of a wrong length: bytes="
              + key.length
              + ", expected="
              + KEY_BYTES
              + "; give a key of 256 bits");
    }
    this.key = key.clone();
    this.id = fingerprint(key);
  }

  /// Reads the key in a file: 32 bytes as they are, or as hex digits or Base64, with white space
  /// around them or not.
  ///
  /// @throws StoreKeyException if there is no such file, if others may read it, or if it holds no
  ///   key; 32 characters of hex or Base64 are none, since they are a key of at most 192 bits
  public static SingleKey read(Path file) {
    byte[] content = SecretFile.read(file);
    if (content.length == KEY_BYTES && isText(content)) {
      Arrays.fill(content, (byte) 0);
      throw new StoreKeyException(
          "key in the file is too short: file="
              + file
              + ", characters="
              + KEY_BYTES
              + "; a key is 256 bits, which are 64 characters of hex or 44 of Base64: make one with"
              + " openssl rand -hex 32");
    }
    byte[] key = parse(content);
    Arrays.fill(content, (byte) 0);
    if (key.length != KEY_BYTES) {
      throw new StoreKeyException(
          "no key in the file: file="
              + file
              + "; it must hold 32 bytes, as they are, in hex or in Base64: openssl rand -hex 32");
    }
    return new SingleKey(key);
  }

  /// Whether all bytes are characters of Base64, of which those of hex are some: text then, and a
  /// key of 192 bits or fewer. Of 32 random bytes that is so once in 2^61 files.
  private static boolean isText(byte[] content) {
    for (byte each : content) {
      boolean letterOrDigit =
          (each >= 'a' && each <= 'z')
              || (each >= 'A' && each <= 'Z')
              || (each >= '0' && each <= '9');
      if (!letterOrDigit && "+/-_=".indexOf(each) < 0) {
        return false;
      }
    }
    return true;
  }

  /// @return the key, or an array of another length if there is none
  private static byte[] parse(byte[] content) {
    if (content.length == KEY_BYTES) {
      return content.clone();
    }
    String text = new String(content, StandardCharsets.ISO_8859_1).strip();
    try {
      return text.length() == 2 * KEY_BYTES
          ? HexFormat.of().parseHex(text)
          : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static String fingerprint(byte[] key) {
    try {
      byte[] derived =
          KDF.getInstance("HKDF-SHA256")
              .deriveData(
                  HKDFParameterSpec.ofExtract()
                      .addIKM(new SecretKeySpec(key, "HKDF"))
                      .thenExpand(
                          "varve key id".getBytes(StandardCharsets.US_ASCII), FINGERPRINT_BYTES));
      return HexFormat.of().formatHex(derived);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks HKDF with SHA-256", e);
    }
  }

  @Override
  public String currentId() {
    return id;
  }

  @Override
  public byte[] key(String keyId) {
    return key.clone();
  }
}
