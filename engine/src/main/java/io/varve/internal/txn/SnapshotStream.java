package io.varve.internal.txn;

import io.varve.StoreClosedException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream over a value that holds a snapshot until it is closed.
final class SnapshotStream extends FilterInputStream {
  private final StoreSnapshot snapshot;

  SnapshotStream(InputStream in, StoreSnapshot snapshot) {
    super(in);
    this.snapshot = snapshot;
  }

  @Override
  public int read() throws IOException {
    requireOpen();
    return super.read();
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    requireOpen();
    return super.read(target, offset, count);
  }

  private void requireOpen() throws IOException {
    try {
      snapshot.requireOpen();
    } catch (StoreClosedException e) {
      throw new IOException("value stream has ended with its store", e);
    }
  }

  @Override
  public void close() throws IOException {
    try (snapshot) {
      super.close();
    }
  }
}
