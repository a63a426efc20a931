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
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import org.jspecify.annotations.Nullable;

/// A temporary file, that its owner alone may read. For one thread, whose interrupts do not close
/// it.
///
/// (SCRATCH-1) It loses its name as soon as it is open, where the system permits that, as all but
/// Windows do. So nothing of it is left when its process is killed, or when an answer is dropped
/// that was not closed.
///
/// (SCRATCH-2) It is encrypted, since the rows of a sort may come from a store that is encrypted.
/// No file may contain a byte of such a store in clear.
final class ScratchFile implements AutoCloseable {
  private static final int WRITE_BUFFER_BYTES = 1 << 16;
  private static final int READ_BUFFER_BYTES = 1 << 14;

  private final RandomAccessFile file;
  private final ScratchCipher cipher = new ScratchCipher();

  /// Of single reads, of which a join makes one for each row: to make a cipher takes longer than to
  /// read and decrypt a block.
  private final Cipher reads = cipher.at(0);

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
  /// One at a time.
  DataOutputStream output() throws IOException {
    file.seek(bytes());
    return new DataOutputStream(
        new BufferedOutputStream(new Appending(bytes()), WRITE_BUFFER_BYTES));
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
    cipher.move(reads, offset);
    crypt(reads, into, 0, into.length);
  }

  /// Encrypts or decrypts bytes in their place.
  private static void crypt(Cipher cipher, byte[] bytes, int offset, int length)
      throws IOException {
    try {
      cipher.update(bytes, offset, length, bytes, offset);
    } catch (ShortBufferException e) {
      throw new IOException(e); // a cipher of streams gives a byte for a byte
    }
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
    private final Cipher encryption;

    Appending(long offset) {
      encryption = cipher.at(offset);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] encrypted = Arrays.copyOfRange(bytes, offset, offset + length);
      crypt(encryption, encrypted, 0, length);
      file.write(encrypted);
    }
  }

  private final class Reading extends InputStream {
    private final Cipher decryption = cipher.at(0);

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = file.read(bytes, offset, length);
      if (count > 0) {
        crypt(decryption, bytes, offset, count);
      }
      return count;
    }
  }
}
