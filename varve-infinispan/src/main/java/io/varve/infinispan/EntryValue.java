package io.varve.infinispan;

import io.varve.Cursor;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.PersistenceException;
import org.jspecify.annotations.Nullable;

/// The value of an entry in the space of entries: all of an entry but its key. What Infinispan
/// marshalled passes through as it is. An entry that neither expires nor has metadata takes one
/// byte more than its value. Big-endian.
///
/// | offset | bytes | field    | meaning                                                              |
/// |-------:|------:|----------|----------------------------------------------------------------------|
/// |      0 |     1 | parts    | which of the following are there: 1 times, 2 metadata, 4 internal metadata |
/// |        |     8 | expiry   | when the entry expires, in milliseconds since 1970, or -1            |
/// |        |     8 | created  | likewise                                                             |
/// |        |     8 | lastUsed | likewise                                                             |
/// |        |     4 | length   | of the metadata                                                      |
/// |        |     4 | length   | of the internal metadata                                             |
/// |        |       | metadata | as marshalled                                                        |
/// |        |       | internal | metadata, as marshalled                                              |
/// |        |       | value    | as marshalled, to the end                                            |
final class EntryValue {
  /// Bytes of a value from its start that contain the time at which it expires.
  static final int EXPIRY_BYTES = 9;

  /// The expiry of an entry that never does.
  static final long NEVER = -1;

  private static final int TIMES = 1;
  private static final int METADATA = 2;
  private static final int INTERNAL = 4;
  private static final int TIMES_BYTES = 3 * Long.BYTES;

  /// Where the lengths of all parts end at the latest.
  private static final int LENGTHS_END_MAX = 1 + TIMES_BYTES + 2 * Integer.BYTES;

  private final ByteBuffer value;
  private final @Nullable ByteBuffer metadata;
  private final @Nullable ByteBuffer internal;
  private final long created;
  private final long lastUsed;

  private EntryValue(byte[] bytes) {
    int parts = bytes[0];
    if ((parts & ~(TIMES | METADATA | INTERNAL)) != 0) {
      throw new PersistenceException(
          "unknown parts of an entry: parts="
              + parts
              + "; a newer version of this module wrote it, open the cache with that");
    }
    int offset = 1;
    if ((parts & TIMES) != 0) {
      created = (long) BigEndian.LONG.get(bytes, offset + 8);
      lastUsed = (long) BigEndian.LONG.get(bytes, offset + 16);
      offset += TIMES_BYTES;
    } else {
      created = -1;
      lastUsed = -1;
    }
    int metadataLength = 0;
    if ((parts & METADATA) != 0) {
      metadataLength = (int) BigEndian.INT.get(bytes, offset);
      offset += Integer.BYTES;
    }
    int internalLength = 0;
    if ((parts & INTERNAL) != 0) {
      internalLength = (int) BigEndian.INT.get(bytes, offset);
      offset += Integer.BYTES;
    }
    metadata =
        (parts & METADATA) == 0 ? null : ByteBufferImpl.create(bytes, offset, metadataLength);
    offset += metadataLength;
    internal =
        (parts & INTERNAL) == 0 ? null : ByteBufferImpl.create(bytes, offset, internalLength);
    offset += internalLength;
    value = ByteBufferImpl.create(bytes, offset, bytes.length - offset);
  }

  static byte[] of(MarshallableEntry<?, ?> entry) {
    long expiry = entry.expiryTime();
    long created = entry.created();
    long lastUsed = entry.lastUsed();
    @Nullable ByteBuffer metadata = entry.getMetadataBytes();
    @Nullable ByteBuffer internal = entry.getInternalMetadataBytes();
    ByteBuffer value = entry.getValueBytes();

    int parts = 0;
    long length = 1L + value.getLength();
    if (expiry > 0 || created != -1 || lastUsed != -1) {
      parts |= TIMES;
      length += TIMES_BYTES;
    }
    if (metadata != null) {
      parts |= METADATA;
      length += Integer.BYTES + metadata.getLength();
    }
    if (internal != null) {
      parts |= INTERNAL;
      length += Integer.BYTES + internal.getLength();
    }
    byte[] bytes = new byte[Math.toIntExact(length)];
    bytes[0] = (byte) parts;
    int offset = 1;
    if ((parts & TIMES) != 0) {
      BigEndian.LONG.set(bytes, offset, expiry > 0 ? expiry : NEVER);
      BigEndian.LONG.set(bytes, offset + 8, created);
      BigEndian.LONG.set(bytes, offset + 16, lastUsed);
      offset += TIMES_BYTES;
    }
    if (metadata != null) {
      BigEndian.INT.set(bytes, offset, metadata.getLength());
      offset += Integer.BYTES;
    }
    if (internal != null) {
      BigEndian.INT.set(bytes, offset, internal.getLength());
      offset += Integer.BYTES;
    }
    offset = append(metadata, bytes, offset);
    offset = append(internal, bytes, offset);
    append(value, bytes, offset);
    return bytes;
  }

  private static int append(@Nullable ByteBuffer part, byte[] bytes, int offset) {
    if (part == null) {
      return offset;
    }
    System.arraycopy(part.getBuf(), part.getOffset(), bytes, offset, part.getLength());
    return offset + part.getLength();
  }

  /// When the entry expires, or [#NEVER].
  ///
  /// @param value of it the first [#EXPIRY_BYTES] bytes are read, or as many as there are
  static long expiry(byte[] value) {
    return (value[0] & TIMES) == 0 ? NEVER : (long) BigEndian.LONG.get(value, 1);
  }

  /// Whether an entry that expires at `expiry` has expired at `now`.
  static boolean isExpired(long expiry, long now) {
    return expiry > 0 && expiry <= now;
  }

  /// Takes a value apart. What it holds is not copied.
  static EntryValue read(byte[] bytes) {
    return new EntryValue(bytes);
  }

  /// Takes apart all of the value under a cursor but what the user stored, which is not read.
  static EntryValue readHead(Cursor cursor) {
    byte[] head = new byte[LENGTHS_END_MAX];
    cursor.readValue(head);
    head = new byte[headLength(head)];
    cursor.readValue(head);
    return new EntryValue(head);
  }

  /// How long a value is without what the user stored.
  private static int headLength(byte[] start) {
    int parts = start[0];
    int length = 1 + ((parts & TIMES) == 0 ? 0 : TIMES_BYTES);
    int lengths = length;
    for (int part : new int[] {METADATA, INTERNAL}) {
      if ((parts & part) != 0) {
        length += Integer.BYTES + (int) BigEndian.INT.get(start, lengths);
        lengths += Integer.BYTES;
      }
    }
    return length;
  }

  /// The entry again, of a key that is no longer marshalled.
  <K, V> MarshallableEntry<K, V> entry(Object key, MarshallableEntryFactory<K, V> factory) {
    return factory.create(key, value, metadata, internal, created, lastUsed);
  }

  /// The entry again, of a key that is.
  <K, V> MarshallableEntry<K, V> marshalledEntry(
      ByteBuffer key, MarshallableEntryFactory<K, V> factory) {
    return factory.create(key, value, metadata, internal, created, lastUsed);
  }

  /// What the user stored, as marshalled.
  ByteBuffer value() {
    return value;
  }

  /// The entry again, except what the user stored.
  <K, V> MarshallableEntry<K, V> entryWithoutValue(
      ByteBuffer key, MarshallableEntryFactory<K, V> factory) {
    return factory.create(key, null, metadata, internal, created, lastUsed);
  }
}
