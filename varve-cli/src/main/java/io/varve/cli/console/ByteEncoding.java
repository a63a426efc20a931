package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// How bytes are written in a text field.
public enum ByteEncoding {
  /// The text whose UTF-8 they are. Not all bytes are text.
  TEXT {
    @Override
    public @Nullable String encode(byte[] bytes) {
      return KeyText.decodeUtf8(bytes);
    }

    @Override
    public byte[] decode(String field) {
      try {
        ByteBuffer encoded = UTF_8.newEncoder().encode(CharBuffer.wrap(field));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException("a surrogate without the other half is no character", e);
      }
    }
  },

  /// Two digits a byte.
  HEX {
    @Override
    public String encode(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }

    @Override
    public byte[] decode(String field) {
      return KeyText.parseHex(field);
    }
  },

  /// Four characters for three bytes.
  BASE64 {
    @Override
    public String encode(byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public byte[] decode(String field) {
      return Base64.getDecoder().decode(field);
    }
  };

  /// The field for `bytes`, or null if this encoding has none.
  public abstract @Nullable String encode(byte[] bytes);

  /// The bytes of `field`.
  ///
  /// @throws IllegalArgumentException if they are not in this encoding
  public abstract byte[] decode(String field);
}
