package io.varve.internal.store;

import io.varve.StoreIoException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.file.PageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What a store holds of its directory.
record StoreFiles(Disk disk, @Nullable DiskLock lock, @Nullable PageFile file) {
  PageFile pages() {
    PageFile present = file;
    if (present == null) {
      throw new IllegalStateException("the page file is not open");
    }
    return present;
  }

  /// Closes the file, releases the lock, and ends the use of the disk.
  void close() {
    PageFile present = file;
    DiskLock held = lock;
    try (disk) {
      try {
        if (present != null) {
          present.close();
        }
      } catch (IOException e) {
        throw new StoreIoException("cannot close a file: file=" + PageFile.NAME, e);
      } finally {
        if (held != null) {
          held.close();
        }
      }
    }
  }
}
