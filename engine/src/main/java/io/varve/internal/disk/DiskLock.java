package io.varve.internal.disk;

/// A held lock of a store's directory. Ends with [#close] or with the process.
public interface DiskLock extends AutoCloseable {

  /// Gives the lock back; a second close does nothing.
  @Override
  void close();
}
