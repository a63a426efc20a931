package io.varve.cache.internal.marshal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cache.Marshaller;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import javax.cache.CacheException;

/// Scalars in a compact form of their own, with a byte in front that names it; other objects by
/// another marshaller.
///
/// Equal scalars have equal bytes. A string with surrogates that are not paired, which UTF-8 cannot
/// hold, is written char by char.
///
/// @param <T> the objects
public final class ScalarMarshaller<T> implements Marshaller<T> {
  private static final byte OTHER = 0;
  private static final byte STRING = 1;
  private static final byte CHARS = 2;
  private static final byte INT = 3;
  private static final byte LONG = 4;
  private static final byte DOUBLE = 5;
  private static final byte FLOAT = 6;
  private static final byte SHORT = 7;
  private static final byte BYTE = 8;
  private static final byte CHAR = 9;
  private static final byte TRUE = 10;
  private static final byte FALSE = 11;
  private static final byte UUID_BITS = 12;
  private static final byte BYTES = 13;

  private final Marshaller<T> others;

  /// Makes a marshaller that leaves what is no scalar to `others`.
  public ScalarMarshaller(Marshaller<T> others) {
    this.others = others;
  }

  /// Whether objects of a class are scalars that no caller can change, so that no copy is needed.
  public static boolean isImmutable(Object object) {
    return object instanceof String
        || object instanceof Integer
        || object instanceof Long
        || object instanceof Double
        || object instanceof Float
        || object instanceof Short
        || object instanceof Byte
        || object instanceof Character
        || object instanceof Boolean
        || object instanceof UUID;
  }

  /// Bytes and strings, which most caches hold, are looked for first, in a method that is small
  /// enough to become part of its callers.
  @Override
  public byte[] toBytes(T object) {
    if (object instanceof byte[] bytes) {
      byte[] copy = new byte[1 + bytes.length];
      copy[0] = BYTES;
      System.arraycopy(bytes, 0, copy, 1, bytes.length);
      return copy;
    }
    return object instanceof String text ? ofText(text) : ofOther(object);
  }

  private byte[] ofOther(T object) {
    return switch (object) {
      case Integer number -> tagged(INT, 4).putInt(number).array();
      case Long number -> tagged(LONG, 8).putLong(number).array();
      case Double number -> tagged(DOUBLE, 8).putLong(Double.doubleToLongBits(number)).array();
      case Float number -> tagged(FLOAT, 4).putInt(Float.floatToIntBits(number)).array();
      case Short number -> tagged(SHORT, 2).putShort(number).array();
      case Byte number -> tagged(BYTE, 1).put(number).array();
      case Character letter -> tagged(CHAR, 2).putChar(letter).array();
      case Boolean truth -> new byte[] {truth ? TRUE : FALSE};
      case UUID id ->
          tagged(UUID_BITS, 16)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .array();
      default -> {
        byte[] bytes = others.toBytes(object);
        yield tagged(OTHER, bytes.length).put(bytes).array();
      }
    };
  }

  private static byte[] ofText(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    if (new String(utf8, UTF_8).equals(text)) {
      return tagged(STRING, utf8.length).put(utf8).array();
    }
    byte[] bytes = new byte[1 + 2 * text.length()];
    bytes[0] = CHARS;
    ByteBuffer.wrap(bytes, 1, bytes.length - 1).asCharBuffer().put(text);
    return bytes;
  }

  private static ByteBuffer tagged(byte tag, int length) {
    return ByteBuffer.allocate(1 + length).put(tag);
  }

  @Override
  @SuppressWarnings("unchecked") // a cache casts what it gives to its type
  public T fromBytes(byte[] bytes) {
    if (bytes.length > 0 && bytes[0] == BYTES) {
      return (T) Arrays.copyOfRange(bytes, 1, bytes.length);
    }
    return ofOther(bytes);
  }

  private T ofOther(byte[] bytes) {
    try {
      return read(bytes);
    } catch (BufferUnderflowException e) {
      throw new CacheException(
          "an object of a cache is too short: bytes="
              + bytes.length
              + "; open the cache with the marshaller that wrote it",
          e);
    }
  }

  @SuppressWarnings("unchecked") // a cache casts what it gives to its type
  private T read(byte[] bytes) {
    if (bytes.length == 0) {
      throw new BufferUnderflowException();
    }
    ByteBuffer rest = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    Object object =
        switch (bytes[0]) {
          case OTHER -> others.fromBytes(Arrays.copyOfRange(bytes, 1, bytes.length));
          case STRING -> new String(bytes, 1, bytes.length - 1, UTF_8);
          case CHARS -> rest.asCharBuffer().toString();
          case INT -> rest.getInt();
          case LONG -> rest.getLong();
          case DOUBLE -> rest.getDouble();
          case FLOAT -> rest.getFloat();
          case SHORT -> rest.getShort();
          case BYTE -> rest.get();
          case CHAR -> rest.getChar();
          case TRUE -> true;
          case FALSE -> false;
          case UUID_BITS -> new UUID(rest.getLong(), rest.getLong());
          default ->
              throw new CacheException(
                  "no object of this marshaller: tag="
                      + bytes[0]
                      + "; open the cache with the marshaller that wrote it");
        };
    return (T) object;
  }
}
