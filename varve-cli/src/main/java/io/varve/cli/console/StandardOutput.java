package io.varve.cli.console;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Standard output as a stream whose failures are [OutputFailedException]s, and which closing only
/// flushes, so that a writer put over it may be closed.
final class StandardOutput extends OutputStream {
  /// Large enough that a dump makes few system calls, small enough to keep a pipe's reader busy.
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream target;

  StandardOutput(OutputStream target) {
    this.target = new BufferedOutputStream(target, BUFFER_BYTES);
  }

  @Override
  public void write(int b) throws IOException {
    try {
      target.write(b);
    } catch (IOException e) {
      throw new OutputFailedException(e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      target.write(bytes, offset, length);
    } catch (IOException e) {
      throw new OutputFailedException(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      target.flush();
    } catch (IOException e) {
      throw new OutputFailedException(e);
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
