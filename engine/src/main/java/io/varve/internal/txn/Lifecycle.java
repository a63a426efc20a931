package io.varve.internal.txn;

import io.varve.StoreClosedException;

/// Whether the store is open.
public final class Lifecycle {
  private volatile boolean closed;

  /// Returns if the store is open.
  ///
  /// @throws StoreClosedException if the store was closed
  public void requireOpen() {
    if (closed) {
      throw new StoreClosedException("the store is closed; open it again to continue");
    }
  }

  public boolean isClosed() {
    return closed;
  }

  /// Makes every later use fail.
  public void close() {
    closed = true;
  }
}
