package io.varve.internal.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A directory of the file system, and the properties of its volume.
final class Directory {
  private final Path path;
  private final boolean isReadOnly;

  /// The volume of the directory, once anybody asked: to find it reads a list of all volumes.
  private volatile @Nullable FileStore volume;

  /// @param isReadOnly whether nothing is changed through this object
  Directory(Path path, boolean isReadOnly) {
    this.path = path;
    this.isReadOnly = isReadOnly;
  }

  /// The real path.
  Path path() {
    return path;
  }

  /// Whether nothing is changed through this object.
  boolean isReadOnly() {
    return isReadOnly;
  }

  Path resolve(String name) {
    return name.isEmpty() ? path : path.resolve(name);
  }

  /// Makes an empty file, if there is none. No channel is opened of one that is there.
  static void createIfMissing(Path path) throws IOException {
    if (!Files.exists(path)) {
      try {
        Files.createFile(path, PrivateModes.ofFile(path));
      } catch (FileAlreadyExistsException _) {
        // Another process was faster.
      }
    }
  }

  /// What this user may still write to the volume.
  long usableBytes() throws IOException {
    FileStore present = volume;
    if (present == null) {
      present = Files.getFileStore(path);
      volume = present;
    }
    return present.getUsableSpace();
  }

  /// Distinguishes a full disk from other failures. Java has no type for it, so by the system's
  /// message; a message in a language unknown here is settled by asking for the space left.
  ///
  /// @param bytes what was to be written, 0 if unknown
  IOException precise(IOException e, long bytes) {
    if (e instanceof DiskFullException) {
      return e;
    }
    String message = e.getMessage() == null ? "" : e.getMessage().toLowerCase(Locale.ROOT);
    boolean full =
        message.contains("no space left")
            || message.contains("not enough space")
            || message.contains("disk full")
            || message.contains("quota exceeded");
    if (!full && bytes > 0) {
      try {
        full = usableBytes() < bytes;
      } catch (IOException unknown) {
        e.addSuppressed(unknown);
      }
    }
    return full ? new DiskFullException("disk is full: directory=" + path, e) : e;
  }
}
