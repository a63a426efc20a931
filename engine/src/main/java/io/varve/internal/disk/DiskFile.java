package io.varve.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/// One open file. Any number of threads may read and write concurrently; overlapping concurrent
/// writes have no order.
public interface DiskFile extends AutoCloseable {

  /// The name it was opened by.
  String name();

  /// Reads into `destination` until it is full or the file ends.
  ///
  /// @return the bytes read: less than what remained in `destination` only at the end of the file;
  ///   0 beyond it
  int read(long position, ByteBuffer destination) throws IOException;

  /// Writes all that remains in `source`, growing the file if need be. A failed write leaves any
  /// part of it written.
  void write(long position, ByteBuffer source) throws IOException;

  /// Makes all completed writes to this file durable, whichever handle wrote them, and the size
  /// needed to read them. After a failure nothing is known of any byte written since the last
  /// success, and a retry proves nothing: so lack of capacity, too, is an error here and never a
  /// [DiskFullException], which a caller may take for one that passes.
  void force() throws IOException;

  /// The file's length in bytes.
  long size() throws IOException;

  /// Cuts the file to this length; nothing happens if it is shorter.
  void truncate(long size) throws IOException;

  /// Maps a range of the file, shared, for reading and writing: what is stored into it survives the
  /// death of the process. A force of the file is not promised to cover it; one of the mapping is.
  /// The range must be within the file and should be written with real blocks before, or a store
  /// may find the disk full.
  Mapping map(long offset, long bytes) throws IOException;

  /// Closes this handle; a second close does nothing. Later calls of this handle fail with an
  /// [IOException].
  @Override
  void close() throws IOException;
}
