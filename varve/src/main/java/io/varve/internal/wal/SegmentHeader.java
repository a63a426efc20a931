package io.varve.internal.wal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The first block of every segment file. All integers are little-endian.
///
/// | offset | bytes | field              | meaning                                             |
/// |-------:|------:|--------------------|-----------------------------------------------------|
/// |      0 |     8 | magic              | `VARVELOG`                                          |
/// |      8 |     4 | version            | of the format: 1                                    |
/// |     12 |     4 | generation         | the life of the log; grows by each open             |
/// |     16 |    16 | storeId            | high, low                                           |
/// |     32 |     8 | sequence           | number in the file's name                           |
/// |     40 |     8 | firstLsn           | LSN of the byte behind this header                  |
/// |     48 |     8 | dataBytes          | bytes of log that the file holds when full          |
/// |     56 |     8 | generationFirstLsn | where this generation starts                        |
/// |     64 |     8 | previousEndLsn     | where the previous generation ended: the link to it |
/// |     72 |     4 | termBytes          | size of the ring, which no frame crosses            |
/// |     76 |     4 | crc32c             | of all before                                       |
/// |     80 |  4016 | zero               |                                                     |
record SegmentHeader(
    int generation,
    StoreId id,
    long sequence,
    long firstLsn,
    long dataBytes,
    long generationFirstLsn,
    long previousEndLsn,
    int termBytes) {

  static final int BYTES = 4096;
  static final int VERSION = 1;

  private static final long MAGIC = 0x474F4C4556524156L; // "VARVELOG", little-endian
  private static final int CRC = 76;

  /// The LSN behind the last byte that the segment can hold.
  long endLsn() {
    return firstLsn + dataBytes;
  }

  /// The header as it is written, ready to be read from the buffer.
  ByteBuffer encode() {
    ByteBuffer block = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    block.putLong(MAGIC).putInt(VERSION).putInt(generation);
    block.putLong(id.high()).putLong(id.low()).putLong(sequence).putLong(firstLsn);
    block.putLong(dataBytes).putLong(generationFirstLsn).putLong(previousEndLsn).putInt(termBytes);
    block.putInt(crc(block.array()));
    return block.position(BYTES).flip();
  }

  /// The header in a block, or null if it holds none that checks: never written, or torn while it
  /// was, or of another version.
  static @Nullable SegmentHeader decode(byte[] block) {
    ByteBuffer buffer = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    if (block.length < CRC + 4 || buffer.getLong(0) != MAGIC || buffer.getInt(8) != VERSION) {
      return null;
    }
    if (buffer.getInt(CRC) != crc(block)) {
      return null;
    }
    return new SegmentHeader(
        buffer.getInt(12),
        new StoreId(buffer.getLong(16), buffer.getLong(24)),
        buffer.getLong(32),
        buffer.getLong(40),
        buffer.getLong(48),
        buffer.getLong(56),
        buffer.getLong(64),
        buffer.getInt(72));
  }

  private static int crc(byte[] block) {
    var crc = new CRC32C();
    crc.update(block, 0, CRC);
    return (int) crc.getValue();
  }
}
