package io.varve.internal.wal.format;

import io.varve.internal.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Reads frames of one file in order of LSN, through a window that moves along. Used by one thread.
public final class FrameReader {
  private static final int SEARCH_BYTES = 1 << 16;

  private final DiskFile file;
  private final int salt;
  private final int termBytes;
  private final byte[] window;

  private long windowLsn; // LSN of the window's first byte
  private int windowBytes; // bytes of it that were read

  public FrameReader(DiskFile file, int salt, int termBytes) {
    this.file = file;
    this.salt = salt;
    this.termBytes = termBytes;
    this.window = new byte[2 * FrameHeader.frameBytesMax(termBytes)];
  }

  public byte[] window() {
    return window;
  }

  public int offset(long lsn) {
    return (int) (lsn - windowLsn);
  }

  /// Looks for the frame at `lsn`, whose bytes are in the file from `position` up to `end`.
  ///
  /// @return its length, and its bytes in the window (of a mark or pad, all but the fill); 0 if
  ///   there is no valid frame
  public int frameAt(long lsn, long position, long end) throws IOException {
    int length = inWindow(lsn);
    if (length == 0 && !holds(lsn, FrameHeader.frameBytesMax(termBytes))) {
      load(lsn, position, end);
      length = inWindow(lsn);
    }
    return length;
  }

  private int inWindow(long lsn) {
    return holds(lsn, FrameHeader.FILL)
        ? FrameHeader.validLength(
            window, offset(lsn), (int) (windowLsn + windowBytes - lsn), lsn, salt, termBytes)
        : 0;
  }

  private boolean holds(long lsn, int bytes) {
    return lsn >= windowLsn && lsn + bytes <= windowLsn + windowBytes;
  }

  private void load(long lsn, long position, long end) throws IOException {
    int wanted = (int) Math.min(window.length, end - position);
    windowLsn = lsn;
    windowBytes = 0;
    if (wanted > 0) {
      windowBytes = file.read(position, ByteBuffer.wrap(window, 0, wanted));
    }
  }

  /// Whether a mark from position `from` up to `end` records that more than `lsn` is durable. Every
  /// offset is tried.
  ///
  /// @param lsnOfFirst the LSN of the byte at `from`; -1 if unknown: then the LSN that a frame
  ///   states is believed if it belongs to that offset of a term of any length that starts at
  ///   `from`
  public boolean hasVouchingMark(long lsn, long from, long end, long lsnOfFirst)
      throws IOException {
    long position = from;
    while (position + FrameHeader.FILL <= end) {
      int wanted = (int) Math.min(window.length, end - position);
      int read = file.read(position, ByteBuffer.wrap(window, 0, wanted));
      windowBytes = 0; // the window holds no part of the log now
      int at = 0;
      for (; at + FrameHeader.FILL <= read; at += FrameHeader.ALIGNMENT) {
        // The type comes first: a byte, which settles it for nearly every offset of a whole ring.
        if (FrameHeader.typeAt(window, at) != FrameHeader.MARK) {
          continue;
        }
        long stated = FrameHeader.lsnAt(window, at);
        long place = position - from + at;
        boolean inPlace =
            lsnOfFirst >= 0
                ? stated == lsnOfFirst + place
                : stated > lsn && ((stated ^ place) & (FrameHeader.TERM_BYTES_MIN - 1)) == 0;
        if (inPlace
            && FrameHeader.durableAt(window, at) > lsn
            && FrameHeader.validLength(window, at, read - at, stated, salt, termBytes) > 0) {
          return true;
        }
      }
      if (at == 0) {
        return false;
      }
      position += at;
    }
    return false;
  }

  /// Up to where the log was durable according to the marks from position `from` up to `end`. Every
  /// offset is tried.
  ///
  /// @param lsnOfFirst the LSN of the byte at `from`
  /// @return 0 if there is no mark
  public long highestVouched(long from, long end, long lsnOfFirst) throws IOException {
    long highest = 0;
    long lsn = lsnOfFirst;
    while (lsn >= 0) {
      int length = frameAt(lsn, from + (lsn - lsnOfFirst), end);
      if (length == 0) {
        long next = lsn + FrameHeader.ALIGNMENT;
        lsn = search(next, from + (next - lsnOfFirst), end);
        continue;
      }
      int at = offset(lsn);
      if (FrameHeader.typeAt(window, at) == FrameHeader.MARK) {
        highest = Math.max(highest, FrameHeader.durableAt(window, at));
      }
      lsn = FrameHeader.next(lsn, length, termBytes);
    }
    return highest;
  }

  /// Looks for the first valid frame at or after `lsn`, whose bytes are in the file from `position`
  /// up to `end`. Every offset is tried.
  ///
  /// @return its LSN, and its bytes in the window; -1 if there is none
  public long search(long lsn, long position, long end) throws IOException {
    byte[] piece = new byte[SEARCH_BYTES];
    long at = position;
    while (at + FrameHeader.FILL <= end) {
      int read = file.read(at, ByteBuffer.wrap(piece, 0, (int) Math.min(piece.length, end - at)));
      int i = 0;
      for (; i + FrameHeader.FILL <= read; i += FrameHeader.ALIGNMENT) {
        long place = lsn + (at - position) + i;
        if (FrameHeader.lsnAt(piece, i) == place && frameAt(place, at + i, end) > 0) {
          return place;
        }
      }
      if (i == 0) {
        return -1;
      }
      at += i;
    }
    return -1;
  }
}
