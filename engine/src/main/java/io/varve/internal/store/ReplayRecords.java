package io.varve.internal.store;

import io.varve.internal.page.Bytes;
import io.varve.internal.wal.format.RecordSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The changes that a replay has read and not applied, as bytes: one record after the other in a
/// few arrays. Two objects for each would be copied by the collector again and again.
///
/// | offset | bytes       | field       | meaning                                       |
/// |-------:|------------:|-------------|-----------------------------------------------|
/// |      0 |           4 | keyLength   |                                               |
/// |      4 |           4 | valueLength | of an inline value; [#DELETED] for a delete   |
/// |      8 |   keyLength | key         |                                               |
/// |  after | valueLength | value       |                                               |
///
/// A *position* names a record: the number of its array in the upper bits, its offset in the lower
/// ones. No record reaches into a second array. For the one thread that recovers.
final class ReplayRecords {
  /// What a record takes in addition to its key and value.
  static final int HEADER_BYTES = 8;

  private static final int DELETED = -1;
  private static final int CHUNK_BITS = 18;
  private static final int CHUNK_BYTES = 1 << CHUNK_BITS;

  /// What a processor reads of memory at a time.
  private static final int LINE_BYTES = 64;

  private final List<byte[]> chunks = new ArrayList<>();
  private byte[] last = new byte[0];
  private int lastIndex = -1;
  private int end = CHUNK_BYTES; // in the last chunk
  private int touched; // means nothing

  /// Adds a put, whose key and value follow in a body.
  ///
  /// @return its position
  int put(RecordSource body, int keyLength, int valueLength) {
    int at = begin(keyLength, valueLength, keyLength + valueLength);
    body.getBytes(last, at, keyLength + valueLength);
    return position(at);
  }

  /// Adds a put of an inline value, or a delete if that is null.
  ///
  /// @return its position
  int add(byte[] key, byte @Nullable [] value) {
    int valueLength = value == null ? 0 : value.length;
    int at = begin(key.length, value == null ? DELETED : valueLength, key.length + valueLength);
    System.arraycopy(key, 0, last, at, key.length);
    if (value != null) {
      System.arraycopy(value, 0, last, at + key.length, valueLength);
    }
    return position(at);
  }

  /// Writes the header of a record.
  ///
  /// @param bytes of its key and value
  /// @return the offset in the last chunk where they go
  private int begin(int keyLength, int valueLength, int bytes) {
    if (end + HEADER_BYTES + bytes > CHUNK_BYTES) {
      nextChunk();
    }
    int at = end;
    Bytes.putI32(last, at, keyLength);
    Bytes.putI32(last, at + 4, valueLength);
    end = at + HEADER_BYTES + bytes;
    return at + HEADER_BYTES;
  }

  private void nextChunk() {
    lastIndex++;
    if (lastIndex == chunks.size()) {
      chunks.add(new byte[CHUNK_BYTES]);
    }
    last = chunks.get(lastIndex);
    end = 0;
  }

  private int position(int keyOffset) {
    return (lastIndex << CHUNK_BITS) + keyOffset - HEADER_BYTES;
  }

  /// Forgets all records. Their memory is used again.
  void clear() {
    last = new byte[0];
    lastIndex = -1;
    end = CHUNK_BYTES;
  }

  /// Reads the first bytes of records that are about to be read, one after the other without a
  /// branch between them: so the processor waits for many of them together.
  void touch(int[] positions, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      byte[] chunk = chunk(positions[i]);
      int at = positions[i] & (CHUNK_BYTES - 1);
      sum += chunk[at] + chunk[Math.min(at + LINE_BYTES, CHUNK_BYTES - 1)];
    }
    touched = sum;
  }

  /// The array that a record is in.
  byte[] chunk(int position) {
    return chunks.get(position >>> CHUNK_BITS);
  }

  /// Where its key begins in that array.
  static int keyOffset(int position) {
    return (position & (CHUNK_BYTES - 1)) + HEADER_BYTES;
  }

  int keyLength(int position) {
    return Bytes.i32(chunk(position), position & (CHUNK_BYTES - 1));
  }

  /// The key.
  ///
  /// @param spare what it is copied to if it is as long; null for none
  byte[] key(int position, byte @Nullable [] spare) {
    return copy(chunk(position), keyOffset(position), keyLength(position), spare);
  }

  /// The value, or null for a delete.
  ///
  /// @param spare what it is copied to if it is as long; null for none
  byte @Nullable [] value(int position, byte @Nullable [] spare) {
    byte[] chunk = chunk(position);
    int length = Bytes.i32(chunk, (position & (CHUNK_BYTES - 1)) + 4);
    return length == DELETED
        ? null
        : copy(chunk, keyOffset(position) + keyLength(position), length, spare);
  }

  private static byte[] copy(byte[] chunk, int from, int length, byte @Nullable [] spare) {
    byte[] to = spare != null && spare.length == length ? spare : new byte[length];
    System.arraycopy(chunk, from, to, 0, length);
    return to;
  }

  int compareKeys(int a, int b) {
    int fromA = keyOffset(a);
    int fromB = keyOffset(b);
    return Arrays.compareUnsigned(
        chunk(a), fromA, fromA + keyLength(a), chunk(b), fromB, fromB + keyLength(b));
  }

  /// The number of leading bytes that the keys of two records share, up to a limit.
  int commonPrefix(int a, int b, int limit) {
    int fromA = keyOffset(a);
    int fromB = keyOffset(b);
    int length = Math.min(limit, Math.min(keyLength(a), keyLength(b)));
    int mismatch =
        Arrays.mismatch(chunk(a), fromA, fromA + length, chunk(b), fromB, fromB + length);
    return mismatch < 0 ? length : mismatch;
  }

  /// Eight bytes of a key from `prefix` on, as a number whose unsigned order is that of the bytes.
  /// Missing ones count as zero.
  long head(int position, int prefix) {
    byte[] chunk = chunk(position);
    int from = keyOffset(position) + prefix;
    int length = keyLength(position) - prefix;
    if (length >= Long.BYTES) {
      return Long.reverseBytes(Bytes.i64(chunk, from));
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head |= (chunk[from + i] & 0xffL) << (56 - 8 * i);
    }
    return head;
  }
}
