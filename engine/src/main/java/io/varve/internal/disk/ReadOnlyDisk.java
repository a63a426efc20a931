package io.varve.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A disk whose files are read and not changed: what would change one fails with the [#refusal].
/// The owner of what is read locks and closes it.
public interface ReadOnlyDisk extends Disk {
  /// Why a file is not changed.
  IOException refusal(String name);

  @Override
  default void createDirectory(String name) throws IOException {
    throw refusal(name);
  }

  @Override
  default void rename(String from, String to) throws IOException {
    throw refusal(from);
  }

  @Override
  default void delete(String name) throws IOException {
    throw refusal(name);
  }

  @Override
  default void syncDirectory(String name) throws IOException {
    throw refusal(name);
  }

  @Override
  default DiskLock lock(String name) {
    throw new UnsupportedOperationException("its owner locks what is read: name=" + name);
  }

  @Override
  default long usableBytes() {
    return 0;
  }

  @Override
  default void close() {}

  /// A file of such a disk.
  interface ReadOnlyFile extends DiskFile {
    /// The disk that it is on.
    ReadOnlyDisk disk();

    @Override
    default void write(long position, ByteBuffer source) throws IOException {
      throw disk().refusal(name());
    }

    @Override
    default void force() throws IOException {
      throw disk().refusal(name());
    }

    @Override
    default void truncate(long size) throws IOException {
      throw disk().refusal(name());
    }

    @Override
    default Mapping map(long offset, long bytes) throws IOException {
      throw disk().refusal(name());
    }
  }
}
