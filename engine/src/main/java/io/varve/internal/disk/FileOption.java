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
  DSYNC,
  /// Reads and writes pass the system's cache by, where the file system can do that; elsewhere it
  /// changes nothing. Memory, positions and lengths must be multiples of 4096 bytes. Writes to
  /// different parts of a file run side by side then, which cached ones do not.
  DIRECT
}
