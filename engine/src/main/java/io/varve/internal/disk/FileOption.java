package io.varve.internal.disk;

/// How [Disk#open] opens a file.
public enum FileOption {
  /// Creates the file, empty, if there is none.
  CREATE,
  /// Creates the file, empty; fails if there is one.
  CREATE_NEW,
  /// Opens for reading only.
  READ_ONLY,
  /// A write returns only when its own bytes are durable (O_DSYNC). It makes no other bytes
  /// durable: neither those written before, nor those written through another handle.
  DSYNC
}
