package io.varve.cli;

import io.varve.ProgressListener;
import io.varve.cli.console.Progress;
import io.varve.cli.console.ProgressUnit;
import io.varve.cli.console.Stdio;
import java.util.concurrent.atomic.AtomicLong;

/// The bytes that a long piece of the store's work has done, for a display to look at.
final class BytesDone implements ProgressListener {
  private final AtomicLong bytes = new AtomicLong();

  @Override
  public void progress(long done, long total) {
    bytes.setOpaque(done);
  }

  /// Begins to show them.
  ///
  /// @param total bytes to do, or -1 if it is unknown
  Progress show(Stdio stdio, String task, long total) {
    return Progress.start(stdio, task, ProgressUnit.BYTES, total, bytes::getOpaque);
  }
}
