package io.varve.internal.disk;

import java.io.IOException;

/// A held lock of a store's directory. Ends with [#close] or with the process.
public interface DiskLock extends AutoCloseable {

  /// Locks a file of the directory as well, until this lock is closed: so neither a deleted lock
  /// file nor another path to the same file lets a second opener in.
  ///
  /// @return false if another process holds it
  /// @throws io.varve.StoreLockedException if another store of this process holds it
  boolean add(String name) throws IOException;

  /// Whether the lock file named a holder when this lock was taken, so that a store was open here
  /// before.
  boolean wasSigned();

  /// Names this process as the holder, for the message to an opener that is refused.
  void sign() throws IOException;

  /// Checks that the name of each file added still leads to the file that is locked.
  ///
  /// @throws IOException if one was deleted, moved or replaced
  void requireInPlace() throws IOException;

  /// Releases the lock; a second close does nothing.
  @Override
  void close();
}
