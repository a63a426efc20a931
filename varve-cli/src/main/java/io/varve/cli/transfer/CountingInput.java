package io.varve.cli.transfer;

import io.varve.cli.console.Interrupts;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the bytes that are read, for a progress bar on another thread. Ctrl-C in the shell ends a
/// read, since one line may be as long as the input.
final class CountingInput extends FilterInputStream {
  private final AtomicLong count = new AtomicLong();

  CountingInput(InputStream in) {
    super(in);
  }

  long count() {
    return count.getOpaque();
  }

  @Override
  public int read() throws IOException {
    int b = in.read();
    add(b < 0 ? 0 : 1);
    return b;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Interrupts.check();
    int read = in.read(target, offset, length);
    add(Math.max(read, 0));
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = in.skip(bytes);
    add(skipped);
    return skipped;
  }

  private void add(long bytes) {
    count.setOpaque(count.getPlain() + bytes);
  }
}
