package io.varve.internal.wal;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.varve.Pieces;
import io.varve.VarveException;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.SmallLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;

/// Recovers logs whose headers and frames are any bytes, with checks that are right where the input
/// asks for it: a recovery gives commits or throws a [VarveException].
@Tag("fuzz")
class LogFuzzTest {
  private static final StoreId ID = SmallLog.ID;
  private static final int RING = SmallLog.RING;
  private static final int GENERATION = 1;

  /// Pieces: the first 76 bytes of the segment's header, all as it should be where the piece ends;
  /// then frames, each a byte that states whether it gets its LSN and check, its type, and its
  /// body.
  @FuzzTest(maxDuration = "3m")
  void segment(byte[] input) throws IOException {
    var disk = new HookedDisk();
    var pieces = new Pieces(input);
    disk.createDirectory(LogFiles.DIRECTORY);
    try (DiskFile file = disk.open(LogFiles.segment(1), FileOption.CREATE)) {
      file.write(0, header(pieces.next()));
      long lsn = RING;
      while (pieces.hasNext() && lsn < 2 * RING) {
        byte[] frame = frame(pieces.next(), lsn);
        file.write(SegmentHeader.BYTES + lsn - RING, ByteBuffer.wrap(frame));
        lsn = FrameHeader.next(lsn, frame.length, RING);
      }
      file.write(SegmentHeader.BYTES + 4 * RING, ByteBuffer.allocate(1));
    }
    try {
      LogRecovery.find(disk, SmallLog.OPTIONS, ID, LogPosition.ORIGIN)
          .replay((_, _, body) -> {
            while (body.remaining() > 0) {
              body.getByte();
            }
          });
    } catch (VarveException e) {
      // what damage may lead to
    }
  }

  private static ByteBuffer header(byte[] start) {
    var right = new SegmentHeader(GENERATION, ID, 1, RING, 4 * RING, RING, 0, RING, null);
    byte[] block = new byte[SegmentHeader.BYTES];
    right.encode(/* ringIsLong= */ false).get(block);
    System.arraycopy(start, 0, block, 0, Math.min(start.length, 76));
    var crc = new CRC32C();
    crc.update(block, 0, 76);
    return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).putInt(76, (int) crc.getValue());
  }

  private static byte[] frame(byte[] piece, long lsn) {
    int bodyBytes = Math.max(0, piece.length - 2);
    byte type = piece.length < 2 ? FrameHeader.COMMIT : piece[1];
    boolean isFill = type == FrameHeader.MARK || type == FrameHeader.PAD;
    byte[] bytes = new byte[Math.max(FrameHeader.BODY + bodyBytes, isFill ? FrameHeader.FILL : 0)];
    ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    frame.position(FrameHeader.BODY);
    frame.put(piece, piece.length - bodyBytes, bodyBytes);
    frame.putLong(FrameHeader.LSN, lsn).put(FrameHeader.TYPE, type);
    if (piece.length > 0 && piece[0] != 0) {
      return bytes; // as it is: an invalid frame
    }
    int checked = FrameHeader.checkedBytes(type, bytes.length) - FrameHeader.LSN;
    int crc = FrameHeader.crc(frame.slice(FrameHeader.LSN, checked));
    frame.putLong(0, FrameHeader.word(bytes.length, crc, FrameHeader.salt(ID, GENERATION)));
    return bytes;
  }

  /// Any bytes are no frame, or one that is within them.
  @FuzzTest(maxDuration = "3m")
  void frame(byte[] input) {
    if (input.length > RING) {
      return;
    }
    int length = FrameHeader.validLength(input, 0, input.length, 8, 7, RING);
    if (length < 0 || length > RING) {
      throw new AssertionError("length out of range: " + length);
    }
  }
}
