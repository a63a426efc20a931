package io.varve.internal.txn;

import io.varve.Space;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.page.LargeReference;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.wal.RecordSink;
import io.varve.internal.wal.format.RecordSource;
import java.nio.charset.StandardCharsets;

/// The body of a commit in the log: its changes, one after the other, logical and absolute. Numbers
/// are varints except the one-byte code.
///
/// | change       | code | then                                                    |
/// |--------------|-----:|---------------------------------------------------------|
/// | put          |    1 | space, key length, value length, key, value             |
/// | put large    |    2 | space, key length, key, reference length, reference     |
/// | delete       |    3 | space, key length, key                                  |
/// | create space |    4 | space, name length, name in UTF-8                       |
/// | drop space   |    5 | space                                                   |
/// | time         |    6 | 0, milliseconds since 1970                              |
/// | image piece  |    7 | space, extent, offset in the image, length, bytes       |
/// | define space |    8 | space, then length and UTF-8 of name and of both codecs |
///
/// Time and image pieces change nothing, and are in logs that are kept alone: see [ArchiveRecords].
public final class LogRecord {
  private static final int PUT = 1;
  private static final int PUT_LARGE = 2;
  private static final int DELETE = 3;
  private static final int CREATE_SPACE = 4;
  private static final int DROP_SPACE = 5;
  private static final int TIME = 6;
  private static final int IMAGE_PIECE = 7;
  private static final int DEFINE_SPACE = 8;

  private LogRecord() {}

  private static long varint(long value) {
    return RecordSink.varintBytes(value);
  }

  static long putBytes(int space, byte[] key, byte[] value) {
    return 1
        + varint(space)
        + varint(key.length)
        + varint(value.length)
        + key.length
        + value.length;
  }

  static void put(RecordSink sink, int space, byte[] key, byte[] value) {
    sink.putByte(PUT);
    sink.putVarint(space);
    sink.putVarint(key.length);
    sink.putVarint(value.length);
    sink.putBytes(key, 0, key.length);
    sink.putBytes(value, 0, value.length);
  }

  static long putLargeBytes(int space, byte[] key, byte[] reference) {
    return putBytes(space, key, reference);
  }

  static void putLarge(RecordSink sink, int space, byte[] key, byte[] reference) {
    sink.putByte(PUT_LARGE);
    sink.putVarint(space);
    sink.putVarint(key.length);
    sink.putBytes(key, 0, key.length);
    sink.putVarint(reference.length);
    sink.putBytes(reference, 0, reference.length);
  }

  static long deleteBytes(int space, byte[] key) {
    return 1 + varint(space) + varint(key.length) + key.length;
  }

  static void delete(RecordSink sink, int space, byte[] key) {
    sink.putByte(DELETE);
    sink.putVarint(space);
    sink.putVarint(key.length);
    sink.putBytes(key, 0, key.length);
  }

  static long createSpaceBytes(int space, byte[] name) {
    return 1 + varint(space) + varint(name.length) + name.length;
  }

  static void createSpace(RecordSink sink, int space, byte[] name) {
    sink.putByte(CREATE_SPACE);
    sink.putVarint(space);
    sink.putVarint(name.length);
    sink.putBytes(name, 0, name.length);
  }

  static long defineSpaceBytes(int space, SpaceDefinition definition) {
    return 1
        + varint(space)
        + textBytes(definition.name())
        + textBytes(definition.keyCodec())
        + textBytes(definition.valueCodec());
  }

  static void defineSpace(RecordSink sink, int space, SpaceDefinition definition) {
    sink.putByte(DEFINE_SPACE);
    sink.putVarint(space);
    putText(sink, definition.name());
    putText(sink, definition.keyCodec());
    putText(sink, definition.valueCodec());
  }

  private static long textBytes(String text) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    return varint(length) + length;
  }

  private static void putText(RecordSink sink, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sink.putVarint(bytes.length);
    sink.putBytes(bytes, 0, bytes.length);
  }

  private static String text(RecordSource body) {
    return new String(body.getBytes((int) body.getVarint()), StandardCharsets.UTF_8);
  }

  static long dropSpaceBytes(int space) {
    return 1 + varint(space);
  }

  static void dropSpace(RecordSink sink, int space) {
    sink.putByte(DROP_SPACE);
    sink.putVarint(space);
  }

  static long timeBytes(long millis) {
    return 1 + varint(0) + varint(millis);
  }

  static void time(RecordSink sink, long millis) {
    sink.putByte(TIME);
    sink.putVarint(0);
    sink.putVarint(millis);
  }

  static long imagePieceBytes(int space, long extent, int offset, int length) {
    return 1 + varint(space) + varint(extent) + varint(offset) + varint(length) + length;
  }

  static void imagePiece(
      RecordSink sink, int space, long extent, byte[] image, int offset, int length) {
    sink.putByte(IMAGE_PIECE);
    sink.putVarint(space);
    sink.putVarint(extent);
    sink.putVarint(offset);
    sink.putVarint(length);
    sink.putBytes(image, offset, length);
  }

  /// Takes the changes of a commit, in their order.
  public interface Visitor {
    /// Takes a put whose key and value are next in a body, which has them: for a visitor that wants
    /// no arrays.
    default void put(int space, int keyLength, int valueLength, RecordSource body) {
      byte[] key = body.getBytes(keyLength);
      put(space, key, body.getBytes(valueLength));
    }

    void put(int space, byte[] key, byte[] value);

    void putLarge(int space, byte[] key, StoredValue reference);

    void delete(int space, byte[] key);

    void createSpace(int space, String name);

    /// Sets all that is known of a space which was made before.
    void defineSpace(int space, SpaceDefinition definition);

    void dropSpace(int space);

    /// All commits before are no younger than this. Changes nothing.
    void time(long millis);

    /// Part of an image that a later `putLarge` may name. Changes nothing.
    void imagePiece(int space, long extent, int offset, byte[] bytes);
  }

  /// Reads a body.
  ///
  /// @throws IllegalStateException if it holds a change that no commit makes
  /// @throws IndexOutOfBoundsException if it ends early
  public static void read(RecordSource body, Visitor visitor) {
    while (body.remaining() > 0) {
      int code = body.getByte();
      int space = (int) body.getVarint();
      switch (code) {
        case PUT -> {
          int keyLength = (int) body.getVarint();
          int valueLength = (int) body.getVarint();
          requireKey(keyLength);
          body.require(keyLength);
          body.require(valueLength);
          body.require((long) keyLength + valueLength);
          visitor.put(space, keyLength, valueLength, body);
        }
        case PUT_LARGE -> {
          byte[] key = key(body, (int) body.getVarint());
          byte[] reference = body.getBytes((int) body.getVarint());
          if (reference.length != LargeReference.BYTES) {
            throw new IllegalStateException("reference of a wrong length: " + reference.length);
          }
          visitor.putLarge(space, key, new StoredValue(reference, true));
        }
        case DELETE -> visitor.delete(space, key(body, (int) body.getVarint()));
        case CREATE_SPACE -> visitor.createSpace(space, text(body));
        case DEFINE_SPACE ->
            visitor.defineSpace(space, new SpaceDefinition(text(body), text(body), text(body)));
        case DROP_SPACE -> visitor.dropSpace(space);
        case TIME -> visitor.time(body.getVarint());
        case IMAGE_PIECE -> {
          long extent = body.getVarint();
          int offset = (int) body.getVarint();
          visitor.imagePiece(space, extent, offset, body.getBytes((int) body.getVarint()));
        }
        default -> throw new IllegalStateException("log record of an unknown kind: code=" + code);
      }
    }
  }

  private static byte[] key(RecordSource body, int length) {
    requireKey(length);
    return body.getBytes(length);
  }

  private static void requireKey(int length) {
    if (length > Space.KEY_BYTES_MAX) {
      throw new IllegalStateException("key too long: length=" + length);
    }
  }
}
