package io.varve.internal.wal.format;

import io.varve.CorruptStoreException;
import io.varve.UnsupportedFormatException;
import io.varve.internal.crypto.Session;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The first block of every segment file. All integers are little-endian.
///
/// | offset | bytes | field              | meaning                                             |
/// |-------:|------:|--------------------|-----------------------------------------------------|
/// |      0 |     8 | magic              | `VARVELOG`                                          |
/// |      8 |     4 | version            | of the format: see below                            |
/// |     12 |     4 | generation         | the life of the log; grows by each open             |
/// |     16 |    16 | storeId            | high, low                                           |
/// |     32 |     8 | sequence           | number in the file's name                           |
/// |     40 |     8 | firstLsn           | LSN of the byte after this header                  |
/// |     48 |     8 | dataBytes          | bytes of log that the file holds when full          |
/// |     56 |     8 | generationFirstLsn | where this generation starts                        |
/// |     64 |     8 | previousEndLsn     | where the previous generation ended: the link to it |
/// |     72 |     4 | termBytes          | length of a term, whose end no frame crosses         |
/// |     76 |     4 | crc32c             | of all before                                       |
/// |     80 |    16 | session            | of encryption: high, low; zero if not encrypted     |
/// |     96 |     4 | crc32c of it       | zero if not encrypted                               |
/// |    100 |  1948 | zero               |                                                     |
/// |   2048 |   100 | copy               | of the first 100 bytes; either will do              |
/// |   2148 |  1948 | zero               |                                                     |
///
/// The version is 1, or 2 if commits are encrypted; and 2 more if the ring may have been longer
/// than a term for some LSN of the segment. A reader that looks for frames at one length of the
/// ring knows 1 and 2 alone. It would take the log to end where the first of them is that it does
/// not find.
///
/// The copy is in another sector: without a header, a segment's commits would be lost silently. The
/// first crc covers the same bytes in all versions. So a reader of version 1 refuses the others by
/// their number, and does not take them for damage.
///
/// @param session null if commits are not encrypted
public record SegmentHeader(
    int generation,
    StoreId id,
    long sequence,
    long firstLsn,
    long dataBytes,
    long generationFirstLsn,
    long previousEndLsn,
    int termBytes,
    @Nullable Session session) {

  public static final int BYTES = 4096;
  static final int VERSION = 1;
  static final int ENCRYPTED_VERSION = 2;

  /// What is added to either if the ring was longer than a term.
  static final int LONG_RING_VERSION = 2;

  static final int VERSION_MAX = ENCRYPTED_VERSION + LONG_RING_VERSION;

  private static final long MAGIC = 0x474F4C4556524156L; // "VARVELOG", little-endian
  private static final int CRC = 76;
  private static final int SESSION = 80;
  private static final int SESSION_CRC = 96;
  private static final int HEADER_BYTES = 100;
  private static final int COPY = 2048;

  /// More than any log reaches: a petabyte of it a day, for a decade.
  private static final long LSN_MAX = 1L << 62;

  /// More than any log has: it is part of epochs, and of their bound in the superblock.
  public static final int GENERATION_MAX = 1 << 29;

  /// The LSN after the last byte that the segment can hold.
  public long endLsn() {
    return firstLsn + dataBytes;
  }

  /// Where in the file the byte of this LSN is.
  public long offset(long lsn) {
    return BYTES + (lsn - firstLsn);
  }

  /// The header as it is written, ready to be read from the buffer.
  ///
  /// @param ringIsLong whether the ring may be longer than a term when a frame of it is encoded
  public ByteBuffer encode(boolean ringIsLong) {
    ByteBuffer block = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int version = session == null ? VERSION : ENCRYPTED_VERSION;
    block.putLong(MAGIC).putInt(ringIsLong ? version + LONG_RING_VERSION : version);
    block.putInt(generation);
    block.putLong(id.high()).putLong(id.low()).putLong(sequence).putLong(firstLsn);
    block.putLong(dataBytes).putLong(generationFirstLsn).putLong(previousEndLsn).putInt(termBytes);
    block.putInt(crc(block.array(), 0, CRC));
    if (session != null) {
      block.putLong(session.high()).putLong(session.low());
      block.putInt(crc(block.array(), SESSION, Session.BYTES));
    }
    block.put(COPY, block.array(), 0, HEADER_BYTES);
    return block.clear();
  }

  /// The header in a block, or null if it holds none that checks: never finished, or torn while it
  /// was written.
  ///
  /// @param where the file, for messages
  /// @throws UnsupportedFormatException if it is of another version
  /// @throws CorruptStoreException if it makes no sense though it checks
  public static @Nullable SegmentHeader decode(byte[] block, String where) {
    SegmentHeader header = decode(block, 0, where);
    return header != null ? header : decode(block, COPY, where);
  }

  private static @Nullable SegmentHeader decode(byte[] block, int at, String where) {
    ByteBuffer buffer = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    if (buffer.getLong(at) != MAGIC || buffer.getInt(at + CRC) != crc(block, at, CRC)) {
      return null;
    }
    int version = buffer.getInt(at + 8);
    if (version < VERSION || version > VERSION_MAX) {
      throw new UnsupportedFormatException(
          "log format not supported: file="
              + where
              + ", found="
              + version
              + ", supported="
              + VERSION
              + " to "
              + VERSION_MAX
              + "; open the store with the version of Varve that wrote it");
    }
    Session session = null;
    if (version == ENCRYPTED_VERSION || version == VERSION_MAX) {
      if (buffer.getInt(at + SESSION_CRC) != crc(block, at + SESSION, Session.BYTES)) {
        return null;
      }
      session = new Session(buffer.getLong(at + SESSION), buffer.getLong(at + SESSION + 8));
    }
    var header =
        new SegmentHeader(
            buffer.getInt(at + 12),
            new StoreId(buffer.getLong(at + 16), buffer.getLong(at + 24)),
            buffer.getLong(at + 32),
            buffer.getLong(at + 40),
            buffer.getLong(at + 48),
            buffer.getLong(at + 56),
            buffer.getLong(at + 64),
            buffer.getInt(at + 72),
            session);
    if (!header.makesSense()) {
      throw new CorruptStoreException(
          "log segment header makes no sense though its checksum is right: file="
              + where
              + ", offset="
              + at
              + ", header="
              + header
              + "; restore from a backup, or salvage");
    }
    return header;
  }

  /// Whether no arithmetic on these numbers can overflow, and no memory taken by them is beyond
  /// what a log takes.
  private boolean makesSense() {
    return generation > 0
        && generation < GENERATION_MAX
        && sequence >= 0
        && sequence < Long.MAX_VALUE
        && Integer.bitCount(termBytes) == 1
        && termBytes >= FrameHeader.TERM_BYTES_MIN
        && termBytes <= FrameHeader.TERM_BYTES_MAX
        && dataBytes > 0
        && dataBytes < LSN_MAX
        && dataBytes % termBytes == 0
        && generationFirstLsn >= 0
        && generationFirstLsn <= firstLsn
        && firstLsn < LSN_MAX
        && firstLsn % FrameHeader.ALIGNMENT == 0
        && previousEndLsn >= 0
        && previousEndLsn <= generationFirstLsn;
  }

  private static int crc(byte[] block, int at, int bytes) {
    var crc = new CRC32C();
    crc.update(block, at, bytes);
    return (int) crc.getValue();
  }
}
