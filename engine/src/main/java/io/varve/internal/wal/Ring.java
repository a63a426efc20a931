package io.varve.internal.wal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The memory in which frames are laid before they are written: the last `bytes` of the log, byte
/// `lsn` at offset `lsn & (bytes - 1)`. It is a shared mapping of a file, so that what is published
/// here belongs to the operating system and outlives the process.
///
/// - (R1) Bytes of the ring that belong to no unreleased frame are zero, so a length of zero means
///   "not published".
/// - (R2) A frame is filled by the one thread that reserved it, and published by one release store
///   of its length and check; readers load that word with acquire and then see the whole frame.
/// - (R3) A range is zeroed only by the thread that wrote it to its segment, after the write.
final class Ring {
  private static final ValueLayout.OfLong LONG_LE =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORD = LONG_LE.varHandle(); // release by (R2), acquire by readers

  static final ValueLayout.OfInt INT_UNALIGNED =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG_UNALIGNED =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private final int bytes;
  private final int salt;

  Ring(MemorySegment memory, int salt) {
    this.memory = memory;
    this.buffer = memory.asByteBuffer();
    this.bytes = (int) memory.byteSize();
    this.salt = salt;
  }

  int bytes() {
    return bytes;
  }

  MemorySegment memory() {
    return memory;
  }

  int offset(long lsn) {
    return (int) (lsn & (bytes - 1));
  }

  void putHeader(long lsn, byte type) {
    int offset = offset(lsn);
    memory.set(LONG_LE, offset + FrameHeader.LSN, lsn);
    memory.set(ValueLayout.JAVA_BYTE, offset + FrameHeader.TYPE, type);
  }

  /// Fills the body of a frame.
  void putBody(long lsn, byte[] body, int bytes) {
    MemorySegment.copy(
        body, 0, memory, ValueLayout.JAVA_BYTE, offset(lsn) + FrameHeader.BODY, bytes);
  }

  /// Publishes a frame that is filled (R2).
  void publish(long lsn, byte type, int length) {
    int offset = offset(lsn);
    int checked = FrameHeader.checkedBytes(type, length) - FrameHeader.LSN;
    int crc = FrameHeader.crc(buffer.slice(offset + FrameHeader.LSN, checked));
    WORD.setRelease(memory, (long) offset, FrameHeader.word(length, crc, salt));
  }

  /// Lays and publishes a mark or pad.
  void publishFill(long lsn, byte type, int length, long durableLsn) {
    putHeader(lsn, type);
    memory.set(LONG_LE, offset(lsn) + FrameHeader.DURABLE, durableLsn);
    publish(lsn, type, length);
  }

  /// Whether a frame can start there: never where a term has no room for a pad. A walk that the
  /// ring has overtaken may come to any multiple of 8.
  boolean mayStartAt(long lsn) {
    return bytes - offset(lsn) >= FrameHeader.FILL;
  }

  /// The length of the frame published at `lsn`, 0 if none is. Anything if the ring has moved on.
  int lengthAt(long lsn) {
    return FrameHeader.lengthOf((long) WORD.getAcquire(memory, (long) offset(lsn)));
  }

  /// The type of a published frame.
  byte typeAt(long lsn) {
    return memory.get(ValueLayout.JAVA_BYTE, offset(lsn) + FrameHeader.TYPE);
  }

  /// The bytes of a range within one term, for writing to a segment.
  ByteBuffer slice(long startLsn, long endLsn) {
    return buffer.slice(offset(startLsn), (int) (endLsn - startLsn));
  }

  /// Zeroes a range within one term (R3).
  void zero(long startLsn, long endLsn) {
    memory.asSlice(offset(startLsn), endLsn - startLsn).fill((byte) 0);
  }
}
