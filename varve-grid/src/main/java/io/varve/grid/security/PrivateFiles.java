package io.varve.grid.security;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Files that hold secrets: nobody but their owner reads them, where the file system knows owners.
final class PrivateFiles {
  private static final FileAttribute<?>[] OWNER_ALONE =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
          }
          : new FileAttribute<?>[0];

  private PrivateFiles() {}

  /// Makes an empty file, unless there is one.
  static void create(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createDirectories(file.getParent());
      Files.createFile(file, OWNER_ALONE);
    }
  }
}
