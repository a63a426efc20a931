package io.varve.control.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;

/// Reads frames. Whatever comes, it holds no more than a frame, or than [#message] was given.
final class FrameInput {
  private final DataInputStream in;

  FrameInput(InputStream in) {
    this.in = new DataInputStream(in);
  }

  /// The next frame.
  ///
  /// @throws ProtocolException if what comes is no frame
  Frame next() throws IOException {
    int length = in.readInt();
    if (length < 1 || length > Frame.BYTES_MAX) {
      throw new ProtocolException(
          "length of a frame out of range: length=" + length + ", max=" + Frame.BYTES_MAX);
    }
    FrameKind kind = FrameKind.of(in.readUnsignedByte());
    byte[] payload = in.readNBytes(length - 1);
    if (payload.length < length - 1) {
      throw new EOFException("a frame was cut: expected=" + length + ", found=" + payload.length);
    }
    return new Frame(kind, payload);
  }

  /// The next frame that is no part, with the parts before it in its payload.
  ///
  /// @throws ProtocolException if they are more than `bytesMax`
  Frame message(int bytesMax) throws IOException {
    Frame frame = next();
    if (frame.kind() != FrameKind.PART) {
      return frame;
    }
    var all = new ByteArrayOutputStream();
    for (; frame.kind() == FrameKind.PART; frame = next()) {
      append(all, frame, bytesMax);
    }
    append(all, frame, bytesMax);
    return new Frame(frame.kind(), all.toByteArray());
  }

  private static void append(ByteArrayOutputStream all, Frame frame, int bytesMax)
      throws ProtocolException {
    if (all.size() > bytesMax - frame.payload().length) {
      throw new ProtocolException("an answer is too long: max=" + bytesMax);
    }
    all.writeBytes(frame.payload());
  }
}
