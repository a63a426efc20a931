package io.varve.internal.wal.segment;

import io.varve.internal.disk.DiskFullException;
import io.varve.internal.wal.format.FrameHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The memory in which frames are encoded, in *terms* of equal length: byte `lsn` of the log is at
/// offset `lsn & (bytes - 1)` of its term. It is a shared mapping of a file, so that what is
/// published here belongs to the operating system and outlives the process.
///
/// - (R1) Where no frame was encoded, memory that may take one is zero, so a length of zero means
///   "not published".
/// - (R2) A frame is filled by the one thread that reserved it, and published by one release store
///   of its length and check; readers load that word with acquire and then see the whole frame.
public abstract class LogBuffer {
  private static final ValueLayout.OfLong LONG_LE =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORD = LONG_LE.varHandle(); // release by (R2), acquire by readers

  public static final ValueLayout.OfInt INT_UNALIGNED =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfLong LONG_UNALIGNED =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int bytes;
  private final int salt;

  LogBuffer(int bytes, int salt) {
    this.bytes = bytes;
    this.salt = salt;
  }

  /// A stretch of log in memory.
  ///
  /// @param buffer the same memory
  record Term(MemorySegment memory, ByteBuffer buffer) {
    Term(MemorySegment memory) {
      this(memory, memory.asByteBuffer());
    }
  }

  /// The term that holds the byte of this LSN; any other if that byte is not needed any more.
  abstract Term term(long lsn);

  /// Brings a range within one term, all of it published, to its segment: to the system, or to
  /// stable storage.
  public abstract void write(long startLsn, long endLsn, boolean forced) throws IOException;

  /// Makes ready for new frames what was written, by the thread that has written it.
  public abstract void release(long startLsn, long endLsn);

  /// Makes durable what was written of a range.
  public abstract void force(long startLsn, long endLsn) throws IOException;

  /// The length of a term.
  public int bytes() {
    return bytes;
  }

  /// The most of the log that may be in memory before it is written.
  public int bytesMax() {
    return bytes;
  }

  /// How much of the log is in memory before it is written: a term, unless it grows.
  RingLap lap() {
    return RingLap.of(bytes);
  }

  /// Whether more of the log could be in memory.
  boolean mayDouble() {
    return false;
  }

  /// Has twice as much of the log in memory from some LSN on. For the allocator's thread. What is
  /// thrown leaves it as it was.
  ///
  /// @param preparedLsn no commit may be reserved after it before this returns
  /// @param releasedLsn what is below has left the memory
  /// @return whether it will; it may still be about to from the time before
  /// @throws DiskFullException if the disk has not twice the capacity for it
  boolean tryDouble(long preparedLsn, long releasedLsn) throws IOException {
    return false;
  }

  public MemorySegment memory(long lsn) {
    return term(lsn).memory;
  }

  public int offset(long lsn) {
    return (int) (lsn & (bytes - 1));
  }

  public void putHeader(long lsn, byte type) {
    MemorySegment memory = memory(lsn);
    int offset = offset(lsn);
    memory.set(LONG_LE, offset + FrameHeader.LSN, lsn);
    memory.set(ValueLayout.JAVA_BYTE, offset + FrameHeader.TYPE, type);
  }

  /// Fills the body of a frame.
  public void putBody(long lsn, byte[] body, int bytes) {
    MemorySegment.copy(
        body, 0, memory(lsn), ValueLayout.JAVA_BYTE, offset(lsn) + FrameHeader.BODY, bytes);
  }

  /// Publishes a frame that is filled (R2).
  public void publish(long lsn, byte type, int length) {
    Term term = term(lsn);
    int offset = offset(lsn);
    int checked = FrameHeader.checkedBytes(type, length) - FrameHeader.LSN;
    int crc = FrameHeader.crc(term.buffer.slice(offset + FrameHeader.LSN, checked));
    WORD.setRelease(term.memory, (long) offset, FrameHeader.word(length, crc, salt));
  }

  /// Encodes and publishes a mark or pad.
  public void publishFill(long lsn, byte type, int length, long durableLsn) {
    putHeader(lsn, type);
    memory(lsn).set(LONG_LE, offset(lsn) + FrameHeader.DURABLE, durableLsn);
    publish(lsn, type, length);
  }

  /// Whether a frame can start there: never where a term cannot hold a pad. A walk that the memory
  /// has overtaken may come to any multiple of 8.
  boolean mayStartAt(long lsn) {
    return bytes - offset(lsn) >= FrameHeader.FILL;
  }

  /// The length of the frame published at `lsn`, 0 if none is. Anything if the memory has moved on.
  int lengthAt(long lsn) {
    return FrameHeader.lengthOf((long) WORD.getAcquire(memory(lsn), (long) offset(lsn)));
  }

  /// The type of a published frame.
  byte typeAt(long lsn) {
    return memory(lsn).get(ValueLayout.JAVA_BYTE, offset(lsn) + FrameHeader.TYPE);
  }
}
