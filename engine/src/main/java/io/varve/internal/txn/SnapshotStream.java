package io.varve.internal.txn;

import io.varve.Snapshot;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream over a value that holds a snapshot until it is closed.
final class SnapshotStream extends FilterInputStream {
  private final Snapshot snapshot;

  SnapshotStream(InputStream in, Snapshot snapshot) {
    super(in);
    this.snapshot = snapshot;
  }

  @Override
  public void close() throws IOException {
    try (snapshot) {
      super.close();
    }
  }
}
