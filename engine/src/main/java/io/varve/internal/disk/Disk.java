package io.varve.internal.disk;

import java.io.IOException;
import java.util.List;

/// One store's directory. Everything that a store reads, writes or forces goes through here, so
/// that the whole engine runs unchanged on a simulated disk.
///
/// Names are paths relative to the directory, with `/` between parts (`log/ring`). All methods may
/// be called from any thread, virtual ones included. An interrupt neither fails a call nor closes a
/// file, and its flag stays set.
///
/// **Durability.** Bytes written are durable after [DiskFile#force]. A file's *name* (created,
/// renamed, deleted) is durable after [#syncDirectory] of the directory that holds it.
///
/// **Errors.** [DiskFullException] if the disk has no capacity. [FileLimitException] if a call that
/// opens a file or a directory may open no more. Any other [IOException] if it failed.
public interface Disk extends AutoCloseable {

  /// Opens a file for reading and writing (unless [FileOption#READ_ONLY]); it must exist unless an
  /// option creates it.
  DiskFile open(String name, FileOption... options) throws IOException;

  /// Whether a file or directory of this name exists.
  boolean exists(String name) throws IOException;

  /// The names (last parts) of the files and directories directly in `directory`, sorted; `""` is
  /// the store's directory itself. Empty if there is no such directory.
  List<String> list(String directory) throws IOException;

  /// Creates a directory and its missing parents; nothing happens if it exists.
  void createDirectory(String name) throws IOException;

  /// Renames a file in one atomic step, replacing any file of the new name.
  void rename(String from, String to) throws IOException;

  /// Deletes a file; nothing happens if there is none. Files open or mapped stay usable by their
  /// holders.
  void delete(String name) throws IOException;

  /// Makes the names in this directory durable (`""`: the store's directory itself).
  void syncDirectory(String name) throws IOException;

  /// Takes the exclusive lock of this store for this process, until closed or until the process
  /// ends.
  ///
  /// @throws io.varve.StoreLockedException if any store of this process or of another one holds it;
  ///   names the holder
  DiskLock lock(String name) throws IOException;

  /// Bytes that may still be written before the disk is full, as far as the system knows.
  long usableBytes() throws IOException;

  /// Where the file really is, for messages.
  String describe(String name);

  /// Ends the use of this disk. Files opened stay open until closed themselves.
  @Override
  void close();
}
