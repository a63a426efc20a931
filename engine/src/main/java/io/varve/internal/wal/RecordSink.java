package io.varve.internal.wal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Takes the body of one commit, straight into the log's ring. Used by one thread, and must end in
/// [#publish] with exactly the body's bytes laid: until then the log cannot pass this record. Who
/// cannot finish must call [Log#fail].
///
/// A body that fits one frame never waits. A larger one waits, between frames, until the log has
/// written what came before and so made room.
public final class RecordSink {
  private final Log log;
  private final Ring ring;
  private final MemorySegment memory;

  private long bodyLeft; // bytes of body behind the frame being filled
  private long frameLsn;
  private int frameLength;
  private byte frameType;
  private int position; // in the ring
  private int limit; // in the ring: where the body of this frame ends

  RecordSink(Log log, Ring ring, long startLsn, long bodyBytes, boolean cut, int frameLength) {
    this.log = log;
    this.ring = ring;
    this.memory = ring.memory();
    this.bodyLeft = bodyBytes;
    beginFrame(startLsn, frameLength, cut ? FrameHeader.FIRST : FrameHeader.COMMIT);
  }

  private void beginFrame(long lsn, int length, byte type) {
    frameLsn = lsn;
    frameLength = length;
    frameType = type;
    int offset = ring.offset(lsn);
    position = offset + FrameHeader.BODY;
    limit = offset + length;
    bodyLeft -= length - FrameHeader.BODY;
    ring.putHeader(lsn, type);
  }

  public void putByte(int value) {
    if (position == limit) {
      nextFrame();
    }
    memory.set(ValueLayout.JAVA_BYTE, position++, (byte) value);
  }

  public void putInt(int value) {
    if (limit - position >= Integer.BYTES) {
      memory.set(Ring.INT_UNALIGNED, position, value);
      position += Integer.BYTES;
    } else {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        putByte(value >>> shift);
      }
    }
  }

  public void putLong(long value) {
    if (limit - position >= Long.BYTES) {
      memory.set(Ring.LONG_UNALIGNED, position, value);
      position += Long.BYTES;
    } else {
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        putByte((int) (value >>> shift));
      }
    }
  }

  /// One to ten bytes, seven bits each, lowest first; small unsigned values are short.
  public void putVarint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      putByte((int) left | 0x80);
      left >>>= 7;
    }
    putByte((int) left);
  }

  /// Bytes that [#putVarint] takes for a value.
  public static int varintBytes(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  public void putBytes(byte[] source, int offset, int length) {
    int done = 0;
    while (done < length) {
      if (position == limit) {
        nextFrame();
      }
      int count = Math.min(length - done, limit - position);
      MemorySegment.copy(source, offset + done, memory, ValueLayout.JAVA_BYTE, position, count);
      position += count;
      done += count;
    }
  }

  /// Publishes the record: from now on the log may write it. Call it once.
  ///
  /// @throws IllegalStateException if the body is not complete, or was published; nothing changes
  public void publish() {
    if (position != limit || bodyLeft != 0) {
      throw new IllegalStateException(
          "commit body incomplete: missingBytes=" + (limit - position + bodyLeft));
    }
    if (frameLength == 0) {
      throw new IllegalStateException("commit published twice");
    }
    ring.publish(
        frameLsn, frameType == FrameHeader.COMMIT ? frameType : FrameHeader.LAST, frameLength);
    frameLength = 0;
    log.published();
  }

  private void nextFrame() {
    if (bodyLeft == 0 || frameLength == 0) {
      throw new IndexOutOfBoundsException("commit body longer than reserved");
    }
    ring.publish(frameLsn, frameType, frameLength);
    long lsn = frameLsn + frameLength;
    int length = log.awaitFrame(lsn, bodyLeft);
    boolean last = length - FrameHeader.BODY == bodyLeft;
    beginFrame(lsn, length, last ? FrameHeader.LAST : FrameHeader.MIDDLE);
  }
}
