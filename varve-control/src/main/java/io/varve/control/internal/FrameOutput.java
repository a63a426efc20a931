package io.varve.control.internal;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// Writes frames, and parts of what is longer.
final class FrameOutput {
  private final DataOutputStream out;

  FrameOutput(OutputStream out) {
    this.out = new DataOutputStream(out);
  }

  /// Writes a payload of any length.
  void write(FrameKind kind, byte[] payload) throws IOException {
    int from = 0;
    for (; payload.length - from > Frame.PAYLOAD_BYTES_MAX; from += Frame.PAYLOAD_BYTES_MAX) {
      frame(FrameKind.PART, payload, from, Frame.PAYLOAD_BYTES_MAX);
    }
    frame(kind, payload, from, payload.length - from);
  }

  /// Writes all that a stream has; no more of it than two frames is in memory.
  void write(FrameKind kind, InputStream content) throws IOException {
    byte[] present = content.readNBytes(Frame.PAYLOAD_BYTES_MAX);
    byte[] next = content.readNBytes(Frame.PAYLOAD_BYTES_MAX);
    while (next.length > 0) {
      frame(FrameKind.PART, present, 0, present.length);
      present = next;
      next = content.readNBytes(Frame.PAYLOAD_BYTES_MAX);
    }
    frame(kind, present, 0, present.length);
  }

  void flush() throws IOException {
    out.flush();
  }

  private void frame(FrameKind kind, byte[] bytes, int offset, int length) throws IOException {
    out.writeInt(length + 1);
    out.writeByte(kind.code());
    out.write(bytes, offset, length);
  }
}
