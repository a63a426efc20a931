package io.varve.cli;

import io.varve.cli.console.CommandException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A temporary file that holds a value while its length is not known. It has no name any more when
/// it is open, so that nothing is left of it, even after a kill. Windows deletes it with the close.
///
/// It is encrypted with a key that is in memory alone, since the store may be encrypted, with or
/// without a key in the command: of such a store no file may contain a byte in clear.
///
/// No interrupt closes it, as it would close a channel. For one thread.
final class ValueFile extends OutputStream {
  private static final String TRANSFORMATION = "AES/CTR/NoPadding";
  private static final int KEY_BYTES = 16;
  private static final int BLOCK_BYTES = 16;

  private final SecretKeySpec key = newKey();
  private final Cipher encryption = cipher(Cipher.ENCRYPT_MODE);
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

  private static SecretKeySpec newKey() {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    return new SecretKeySpec(random, "AES");
  }

  /// A cipher at the start of the file. The key is of this file alone, and each of its bytes is
  /// written once, so the counter may begin at zero.
  private Cipher cipher(int mode) {
    try {
      Cipher cipher = Cipher.getInstance(TRANSFORMATION);
      cipher.init(mode, key, new IvParameterSpec(new byte[BLOCK_BYTES]));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + TRANSFORMATION, e);
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
      file.write(encryption.update(bytes, offset, count));
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
      return new CipherInputStream(new FileInputStream(file.getFD()), cipher(Cipher.DECRYPT_MODE));
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
