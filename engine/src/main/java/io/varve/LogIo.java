package io.varve;

/// How the log is written. It may differ from open to open; the files are the same. What a commit
/// promises does not depend on it.
///
/// @since 1.0
public enum LogIo {
  /// Through the system's cache: a synchronous write where a commit waits for the disk, a plain one
  /// elsewhere. Records are encoded in a buffer first ([LogOptions#bufferBytes()]).
  BUFFERED,

  /// Straight into the files of the log, which are mapped into memory: nothing is copied to write
  /// it, and what a commit waits for is forced by its range. For stores of
  /// [Durability#PROCESS_CRASH] and [Durability#BACKGROUND], on Linux and Windows. A file system
  /// that copies blocks when they are written (Btrfs, ZFS) can be full in the middle of a store
  /// into memory: do not map the log there.
  MAPPED,

  /// Past the system's cache where a commit waits for the disk, several writes concurrently;
  /// elsewhere as `BUFFERED`, and everywhere so if the file system cannot do it. The default.
  DIRECT
}
