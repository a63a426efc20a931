package io.varve.internal.crypto;

import io.varve.CorruptStoreException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The file `keys` of an encrypted store: a [WrappedKey] at offset 0 and its copy at 4096, either
/// of which will do. It is only ever replaced as a whole, by a rename, so that a crash leaves the
/// one before or the new one.
final class KeysFile {
  static final String NAME = "keys";

  static final String NEW_NAME = "keys.new";

  /// In another block, so that no torn write or bad sector takes both.
  private static final int COPY = 4096;

  private KeysFile() {}

  /// What the file holds; null if there is none.
  ///
  /// @throws CorruptStoreException if neither copy is whole
  static @Nullable WrappedKey read(Disk disk) throws IOException {
    if (!disk.exists(NAME)) {
      return null;
    }
    String where = disk.describe(NAME);
    try (DiskFile file = disk.open(NAME, FileOption.READ_ONLY)) {
      for (int offset = 0; offset <= COPY; offset += COPY) {
        byte[] block = new byte[WrappedKey.BYTES];
        file.read(offset, ByteBuffer.wrap(block));
        WrappedKey key = WrappedKey.decode(block, where);
        if (key != null) {
          return key;
        }
      }
    }
    throw new CorruptStoreException(
        "keys file damaged: file="
            + where
            + "; put back a copy of it, from any backup that the same key opens: without it no data"
            + " of this store can be read");
  }

  /// Makes or replaces the file; durable when this returns.
  static void write(Disk disk, WrappedKey key) throws IOException {
    try (DiskFile file = disk.open(NEW_NAME, FileOption.CREATE)) {
      file.truncate(0);
      file.write(0, ByteBuffer.wrap(key.encode()));
      file.write(COPY, ByteBuffer.wrap(key.encode()));
      file.force();
    }
    disk.rename(NEW_NAME, NAME);
    disk.syncDirectory("");
  }
}
