package io.varve.cli;

import io.varve.cli.console.CommandException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/// A temporary file that holds a value while its length is not known. It has no name any more when
/// it is open, so that nothing is left of it, even after a kill. Windows deletes it with the close.
///
/// No interrupt closes it, as it would close a channel. For one thread.
final class ValueFile extends OutputStream {
  private final Path path;
  private final RandomAccessFile file;
  private final boolean isDeleted;
  private long length;

  private ValueFile(Path path) throws IOException {
    this.path = path;
    file = new RandomAccessFile(path.toFile(), "rw");
    isDeleted = path.toFile().delete();
  }

  /// Makes one in the directory for temporary files.
  ///
  /// @throws CommandException if it cannot be made, with the directory and what to do. Writes to
  ///   the file throw the same.
  static ValueFile open() {
    try {
      return new ValueFile(Files.createTempFile(directory(), "varve-put-", null));
    } catch (IOException e) {
      throw failure(0, e);
    }
  }

  private static Path directory() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static CommandException failure(long bytes, IOException cause) {
    return CommandException.store(
        "cannot hold the value in a temporary file: directory="
            + directory()
            + ", bytes="
            + bytes
            + ", cause="
            + cause
            + "; name another directory by VARVE_JAVA_OPTIONS=-Djava.io.tmpdir=DIRECTORY",
        cause);
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) {
    try {
      file.write(bytes, offset, count);
    } catch (IOException e) {
      throw failure(length, e);
    }
    length += count;
  }

  /// How many bytes were written.
  long length() {
    return length;
  }

  /// What was written, from the start. Call it once all was.
  InputStream content() {
    try {
      file.seek(0);
      return new FileInputStream(file.getFD());
    } catch (IOException e) {
      throw failure(length, e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
    if (!isDeleted) {
      Files.deleteIfExists(path);
    }
  }
}
