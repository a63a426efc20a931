package io.varve.internal.disk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// Modes of what a store creates: for its user alone. Files that are there keep theirs.
///
/// Nothing where the file system knows no such permissions.
final class PrivateModes {
  static final FileAttribute<?>[] NONE = {};

  private static final FileAttribute<?>[] DIRECTORY = modes("rwx------");
  private static final FileAttribute<?>[] FILE = modes("rw-------");

  private PrivateModes() {}

  private static FileAttribute<?>[] modes(String permissions) {
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  /// For a directory to be made in one that exists.
  static FileAttribute<?>[] ofDirectory(Path parent) {
    return isPosix(parent) ? DIRECTORY : NONE;
  }

  /// For a file to be made in a directory that exists.
  static FileAttribute<?>[] ofFile(Path path) {
    return isPosix(path.getParent()) ? FILE : NONE;
  }

  private static boolean isPosix(@Nullable Path directory) {
    return directory != null
        && Files.getFileAttributeView(directory, PosixFileAttributeView.class) != null;
  }
}
