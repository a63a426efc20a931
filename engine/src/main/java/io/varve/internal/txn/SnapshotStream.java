package io.varve.internal.txn;

import io.varve.CorruptStoreException;
import io.varve.StoreClosedException;
import io.varve.internal.file.PageFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream over a value that holds a snapshot until it is closed.
final class SnapshotStream extends FilterInputStream {
  private final StoreSnapshot snapshot;
  private final PageFile file;

  SnapshotStream(InputStream in, StoreSnapshot snapshot, PageFile file) {
    super(in);
    this.file = file;
    this.snapshot = snapshot;
  }

  @Override
  public int read() throws IOException {
    requireOpen();
    try {
      int read = super.read();
      requireOpen(); // What was read after the close may be another value's.
      return read;
    } catch (CorruptStoreException e) {
      throw damaged(e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    requireOpen();
    try {
      int read = super.read(target, offset, count);
      requireOpen();
      return read;
    } catch (CorruptStoreException e) {
      throw damaged(e);
    }
  }

  private CorruptStoreException damaged(CorruptStoreException e) throws IOException {
    requireOpen(); // what a closed snapshot no longer holds is no damage
    return file.damaged(e);
  }

  private void requireOpen() throws IOException {
    try {
      snapshot.held().requireOpen();
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
