package io.varve.internal.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// What the errors of the file system mean, where Java has no type for it.
final class FileErrors {
  private FileErrors() {}

  /// The exception that reports why a file cannot be opened and what to do, where that is known.
  static IOException explain(Path path, IOException e) {
    if (e instanceof DiskFullException || isLimit(e)) {
      return opening(path, e);
    }
    if (Files.isDirectory(path)) {
      return new IOException(
          "a directory is where a file should be: file=" + path + "; move it away", e);
    }
    if (isReadOnly(e)) {
      return new IOException(
          "the file system is read-only: file=" + path + "; mount it writable", e);
    }
    return e instanceof AccessDeniedException
        ? new IOException("no permission: file=" + path + "; let this user read and write it", e)
        : e;
  }

  /// The exception that reports that no more files may be opened, if that is why one was not.
  static IOException opening(Path path, IOException e) {
    return isLimit(e)
        ? new FileLimitException(
            "no more files may be opened: file="
                + path
                + "; close others, or raise the limit (ulimit -n)",
            e)
        : e;
  }

  /// Java has no type for it, so by the system's message.
  private static boolean isLimit(IOException e) {
    String message = e.getMessage();
    return message != null && message.contains("Too many open files");
  }

  /// Whether a file cannot be opened for writing, but perhaps for reading.
  static boolean refusesWrites(IOException e) {
    return e instanceof AccessDeniedException || isReadOnly(e);
  }

  /// Whether the file system takes no writes. Java has no type for it, so by the system's message.
  static boolean isReadOnly(IOException e) {
    String message = e.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains("read-only file system");
  }
}
