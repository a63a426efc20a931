package io.varve.internal.wal.format;

import io.varve.internal.crypto.SessionCipher;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Takes the bodies out of frames that check.
public final class FrameBody {
  private static final byte[] NONE = new byte[0];

  private FrameBody() {}

  /// The body of the frame at `at` of a window, in bytes of its own, except that of a commit in one
  /// frame and in clear: that one stays in the window.
  ///
  /// @param cipher of the frame's session, or null if the log is not encrypted
  /// @return null if it is not what was encrypted
  public static RecordSource.@Nullable Piece of(
      @Nullable SessionCipher cipher, byte[] window, int at, int length) {
    int from = at + FrameHeader.BODY;
    int to = at + length;
    byte type = FrameHeader.typeAt(window, at);
    if (cipher == null) {
      return type == FrameHeader.COMMIT
          ? new RecordSource.Piece(window, from, to)
          : new RecordSource.Piece(Arrays.copyOfRange(window, from, to), 0, to - from);
    }
    int bytes = to - from - SessionCipher.TAG_BYTES;
    byte[] body = new byte[Math.max(0, bytes)];
    long lsn = FrameHeader.lsnAt(window, at);
    return cipher.open(type, lsn, NONE, window, from, to - from, body, 0)
        ? new RecordSource.Piece(body, 0, bytes)
        : null;
  }
}
