package io.varve.query.internal.access;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A temporary file, that its owner alone may read. For one thread, whose interrupts do not close
/// it.
///
/// (SCRATCH-1) It loses its name as soon as it is open, where the system permits that, as all but
/// Windows do. So nothing of it is left when its process is killed, or when an answer is dropped
/// that was not closed.
final class ScratchFile implements AutoCloseable {
  private static final int WRITE_BUFFER_BYTES = 1 << 16;
  private static final int READ_BUFFER_BYTES = 1 << 14;

  private final RandomAccessFile file;

  /// The name that the system did not take from it, or null.
  private final @Nullable Path named;

  private ScratchFile(RandomAccessFile file, @Nullable Path named) {
    this.file = file;
    this.named = named;
  }

  /// Makes one.
  ///
  /// @param directory where to make it; null for the directory of temporary files
  static ScratchFile create(@Nullable Path directory) throws IOException {
    Path path = // Java makes temporary files readable by their owner alone.
        directory == null
            ? Files.createTempFile("varve-sort-", ".run")
            : Files.createTempFile(directory, "varve-sort-", ".run");
    RandomAccessFile file;
    try {
      file = new RandomAccessFile(path.toFile(), "rw");
    } catch (IOException | RuntimeException | Error e) { // as of a file system of another kind
      Files.deleteIfExists(path);
      throw e;
    }
    try {
      Files.delete(path);
      return new ScratchFile(file, null);
    } catch (IOException _) {
      return new ScratchFile(file, path); // Windows deletes no file that is open.
    }
  }

  /// A buffer that appends to the file. Closing it writes what it holds, and leaves the file open.
  DataOutputStream output() {
    return new DataOutputStream(new BufferedOutputStream(new Appending(), WRITE_BUFFER_BYTES));
  }

  /// A buffer that reads the file from its start.
  DataInputStream input() throws IOException {
    file.seek(0);
    return new DataInputStream(new BufferedInputStream(new Reading(), READ_BUFFER_BYTES));
  }

  /// Reads the bytes from `offset` on.
  void read(long offset, byte[] into) throws IOException {
    file.seek(offset);
    file.readFully(into);
  }

  long bytes() throws IOException {
    return file.length();
  }

  @Override
  public void close() {
    try {
      try {
        file.close();
      } finally {
        if (named != null) {
          Files.deleteIfExists(named);
        }
      }
    } catch (IOException e) {
      throw SortedRun.failure(e);
    }
  }

  /// Closes it after a failure, which is what matters and is reported.
  void closeQuietly() {
    try {
      close();
    } catch (UncheckedIOException _) {
      // The failure before is thrown.
    }
  }

  private final class Appending extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      file.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
    }
  }

  private final class Reading extends InputStream {
    @Override
    public int read() throws IOException {
      return file.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return file.read(bytes, offset, length);
    }
  }
}
