package io.varve.internal.wal;

import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.LogBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Takes the body of one commit, straight into the log's memory, or encrypts it on the way. Used by
/// one thread, and must end in [#publish] with exactly the body's bytes written: until then the log
/// cannot pass this record. A thread that cannot finish must call [Log#fail].
///
/// A body that fits one frame never waits. A larger one waits, between frames, until the log has
/// written what came before and so freed capacity.
public final class RecordSink {
  private static final byte[] EMPTY = new byte[0];

  /// So many bytes are put faster as words: a copy has checks of its own. Most keys are as short.
  private static final int WORDS_BYTES_MAX = 64;

  /// In the order of [LogBuffer#LONG_UNALIGNED].
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final FrameSupply supply;
  private final LogBuffer frames;

  /// Null if the store is not encrypted.
  private final @Nullable SessionCipher cipher;

  /// What the body of a frame is encoded in, and encrypted in before it goes to the log. So no byte
  /// of it is ever in a file in clear. Empty if the store is not encrypted.
  private byte[] clear = EMPTY;

  /// Where the frame is in the log, or `clear`.
  private MemorySegment memory;

  private long bodyLeft; // bytes of body after the frame being filled
  private long frameLsn;
  private int frameLength;
  private byte frameType;
  private int position; // in the memory
  private int limit; // in the memory: where the body of this frame ends

  /// @param cut whether the body takes more than one frame
  RecordSink(FrameSupply supply, long startLsn, long bodyBytes, boolean cut, int frameLength) {
    this.supply = supply;
    this.frames = supply.memory();
    this.cipher = supply.cipher();
    this.memory = frames.memory(startLsn);
    this.bodyLeft = bodyBytes;
    beginFrame(startLsn, frameLength, cut ? FrameHeader.FIRST : FrameHeader.COMMIT);
  }

  private void beginFrame(long lsn, int length, byte type) {
    frameLsn = lsn;
    frameLength = length;
    frameType = type;
    int bodyBytes = length - overheadBytes();
    if (cipher == null) {
      memory = frames.memory(lsn);
      position = frames.offset(lsn) + FrameHeader.BODY;
    } else {
      if (clear.length < bodyBytes + SessionCipher.TAG_BYTES) {
        clear = new byte[bodyBytes + SessionCipher.TAG_BYTES];
        memory = MemorySegment.ofArray(clear);
      }
      position = 0;
    }
    limit = position + bodyBytes;
    bodyLeft -= bodyBytes;
    frames.putHeader(lsn, type);
  }

  private int overheadBytes() {
    return FrameHeader.overheadBytes(cipher != null);
  }

  /// Publishes the frame whose body is complete.
  private void publishFrame(byte type) {
    if (cipher != null) {
      int bodyBytes = frameLength - overheadBytes();
      cipher.seal(type, frameLsn, EMPTY, clear, 0, bodyBytes); // (K2) of FrameHeader
      frames.putBody(frameLsn, clear, bodyBytes + SessionCipher.TAG_BYTES);
    }
    frames.publish(frameLsn, type, frameLength);
  }

  public void putByte(int value) {
    if (position == limit) {
      nextFrame();
    }
    memory.set(ValueLayout.JAVA_BYTE, position++, (byte) value);
  }

  public void putInt(int value) {
    if (limit - position >= Integer.BYTES) {
      memory.set(LogBuffer.INT_UNALIGNED, position, value);
      position += Integer.BYTES;
    } else {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        putByte(value >>> shift);
      }
    }
  }

  public void putLong(long value) {
    if (limit - position >= Long.BYTES) {
      memory.set(LogBuffer.LONG_UNALIGNED, position, value);
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
    if (length >= Long.BYTES && length <= WORDS_BYTES_MAX && length <= limit - position) {
      putWords(source, offset, length);
      return;
    }
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

  /// Puts bytes eight at a time. The last eight overlap those before where the length is no
  /// multiple.
  private void putWords(byte[] source, int offset, int length) {
    int last = length - Long.BYTES;
    for (int at = 0; at < last; at += Long.BYTES) {
      memory.set(LogBuffer.LONG_UNALIGNED, position + at, (long) WORD.get(source, offset + at));
    }
    memory.set(LogBuffer.LONG_UNALIGNED, position + last, (long) WORD.get(source, offset + last));
    position += length;
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
    publishFrame(frameType == FrameHeader.COMMIT ? frameType : FrameHeader.LAST);
    frameLength = 0;
    supply.published();
  }

  private void nextFrame() {
    if (bodyLeft == 0 || frameLength == 0) {
      throw new IndexOutOfBoundsException("commit body longer than reserved");
    }
    publishFrame(frameType);
    long lsn = frameLsn + frameLength;
    int length = supply.awaitFrame(lsn, bodyLeft);
    boolean last = length - overheadBytes() == bodyLeft;
    beginFrame(lsn, length, last ? FrameHeader.LAST : FrameHeader.MIDDLE);
  }
}
