package io.varve.internal.wal.format;

import io.varve.internal.crypto.SessionCipher;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The header in front of every frame of the log. All integers are little-endian; a frame starts at
/// a multiple of 8 and never crosses the end of a *term*. That is a stretch of log, whose length
/// its segment states.
///
/// | offset | bytes | field   | meaning                                                        |
/// |-------:|------:|---------|----------------------------------------------------------------|
/// |      0 |     4 | length  | bytes of the whole frame; 0 while it is not published           |
/// |      4 |     4 | check   | CRC32C of the checked bytes, xor salt, xor scattered length     |
/// |      8 |     8 | lsn     | where the frame starts; exposes frames at a wrong offset        |
/// |     16 |     1 | type    | see below                                                      |
/// |     17 |       | body    | of a commit: to the end of the frame                           |
/// |     24 |     8 | durable | of a mark: the durable LSN when its batch was sealed; of a pad: 0 |
///
/// Length and check are one 8-byte word, stored last: a frame is published whole or not at all.
/// *Checked* are the bytes from `lsn` on: of a commit all, of a mark or pad up to offset 32 (the
/// rest is fill). The *salt* mixes store and generation, so that what another life of the log left
/// never checks; for one store it differs in every generation.
///
/// In an encrypted store the body of a commit's frame is encrypted, and its tag (16 bytes) follows
/// it at the end of the frame. The nonce is type and LSN. (K2) An LSN belongs to one frame of its
/// generation, which is encrypted once, and each generation has a session of its own: so no nonce
/// comes twice for a key. Marks and pads have no body, and take no nonce.
///
/// | type | name   | meaning                                                          |
/// |-----:|--------|------------------------------------------------------------------|
/// |    1 | COMMIT | a whole commit                                                   |
/// |    2 | FIRST  | the first part of a commit too large for one frame               |
/// |    3 | MIDDLE | a further part                                                   |
/// |    4 | LAST   | its last part: the commit is complete                            |
/// |    5 | MARK   | ends a batch and fills its last block; vouches for what is durable |
/// |    6 | PAD    | fills the end of a term that was too short for the next frame     |
public final class FrameHeader {
  static final int LENGTH = 0;
  static final int CHECK = 4;
  public static final int LSN = 8;
  public static final int TYPE = 16;
  public static final int BODY = 17;
  public static final int DURABLE = 24;

  /// Bytes of a mark or pad without its fill, and the least that may remain of a term.
  public static final int FILL = 32;

  public static final int ALIGNMENT = 8;

  public static final byte COMMIT = 1;
  public static final byte FIRST = 2;
  public static final byte MIDDLE = 3;
  public static final byte LAST = 4;
  public static final byte MARK = 5;
  public static final byte PAD = 6;

  /// The unit in which batches are written. No block is written by two batches.
  public static final int BLOCK = 4096;

  /// The bounds of a term.
  public static final int TERM_BYTES_MIN = 1 << 16;

  public static final int TERM_BYTES_MAX = 1 << 28;

  /// Capacity for the mark of a batch, which takes at most a block and its own bytes: each
  /// reservation leaves it, and a full log has it for the marks that seal its last batches.
  public static final int MARK_BYTES_MAX = 2 * BLOCK;

  private static final int FRAME_BYTES_MAX = 1 << 20;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private FrameHeader() {}

  /// The bytes of a commit's frame that are not its body.
  public static int overheadBytes(boolean encrypted) {
    return encrypted ? BODY + SessionCipher.TAG_BYTES : BODY;
  }

  /// The longest frame of a commit in a log of this term: longer commits are cut.
  public static int frameBytesMax(int termBytes) {
    return Math.min(FRAME_BYTES_MAX, termBytes / 8);
  }

  /// What a store and a generation contribute to every check.
  public static int salt(StoreId id, int generation) {
    long mixed = (id.high() * 0x9E3779B97F4A7C15L) ^ Long.rotateLeft(id.low(), 29);
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    // An odd factor is a bijection: two generations of one store never share a salt.
    return (int) (mixed >>> 32) ^ (generation * 0x9E3779B1);
  }

  /// The publication word of a frame.
  public static long word(int length, int crc, int salt) {
    // An odd factor is a bijection: a changed length never passes with the same check.
    int check = crc ^ salt ^ (length * 0x85EBCA6B);
    return (Integer.toUnsignedLong(check) << 32) | length;
  }

  public static int lengthOf(long word) {
    return (int) word;
  }

  /// Bytes from the start of the frame that are checked, except length and check themselves.
  public static int checkedBytes(byte type, int length) {
    return type == MARK || type == PAD ? FILL : length;
  }

  /// Where the frame after one at `lsn` starts. What remains of a term and cannot hold a pad is
  /// part of the frame before it.
  public static long next(long lsn, int length, int termBytes) {
    long end = (lsn + length + (ALIGNMENT - 1)) & -ALIGNMENT;
    long used = end & (termBytes - 1);
    return used != 0 && termBytes - used < FILL ? end + termBytes - used : end;
  }

  public static long blockCeil(long lsn) {
    return (lsn + BLOCK - 1) & -BLOCK;
  }

  public static int crc(ByteBuffer checked) {
    var crc = new CRC32C();
    crc.update(checked);
    return (int) crc.getValue();
  }

  /// Checks the frame at `offset` of `bytes`, of which `available` bytes may be looked at.
  ///
  /// @return its length; 0 if there is none, or it is damaged or of another offset or generation
  public static int validLength(
      byte[] bytes, int offset, int available, long lsn, int salt, int termBytes) {
    int length = claimedLength(bytes, offset, available, lsn, termBytes);
    if (length == 0) {
      return 0;
    }
    byte type = bytes[offset + TYPE];
    int checked = checkedBytes(type, length);
    if (checked > available) {
      return 0;
    }
    var crc = new CRC32C();
    crc.update(bytes, offset + LSN, checked - LSN);
    long word = (long) LONG.get(bytes, offset + LENGTH);
    return word(length, (int) crc.getValue(), salt) == word ? length : 0;
  }

  /// The length that the header of a frame at `lsn` states if it is plausible, 0 if not. It implies
  /// nothing about the check, and may exceed what is available. A frame always has the space of a
  /// pad before the end of its term, so fewer bytes available hold none.
  public static int claimedLength(
      byte[] bytes, int offset, int available, long lsn, int termBytes) {
    if (available < FILL || lsnAt(bytes, offset) != lsn) {
      return 0;
    }
    int length = (int) INT.get(bytes, offset + LENGTH);
    byte type = bytes[offset + TYPE];
    long termRemaining = termBytes - (lsn & (termBytes - 1));
    boolean plausible =
        switch (type) {
          case COMMIT, FIRST, MIDDLE, LAST -> length >= BODY && length <= frameBytesMax(termBytes);
          case MARK, PAD -> length >= FILL;
          default -> false;
        };
    return plausible && length <= termRemaining ? length : 0;
  }

  public static long lsnAt(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset + LSN);
  }

  public static byte typeAt(byte[] bytes, int offset) {
    return bytes[offset + TYPE];
  }

  public static long durableAt(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset + DURABLE);
  }
}
