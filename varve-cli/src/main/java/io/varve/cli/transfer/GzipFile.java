package io.varve.cli.transfer;

import io.varve.cli.console.CommandException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// The content of a file that gzip has compressed. An error names the file.
final class GzipFile extends FilterInputStream {
  private static final int BUFFER_BYTES = 64 << 10;

  private final Path path;

  private GzipFile(Path path, InputStream content) {
    super(content);
    this.path = path;
  }

  /// @throws CommandException if the file does not begin as gzip begins one
  static GzipFile open(Path path) throws IOException {
    InputStream file = Files.newInputStream(path);
    try {
      return new GzipFile(path, new GZIPInputStream(file, BUFFER_BYTES));
    } catch (EOFException | ZipException e) {
      file.close();
      throw damaged(path, e);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    try {
      return in.read(target, offset, length);
    } catch (EOFException | ZipException e) {
      throw damaged(path, e);
    }
  }

  private static CommandException damaged(Path path, IOException cause) {
    return CommandException.usage(
        path + ": not what gzip writes, or not whole: " + cause.getMessage(), cause);
  }
}
