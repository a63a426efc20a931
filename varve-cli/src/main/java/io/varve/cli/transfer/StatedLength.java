package io.varve.cli.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/// The content of a file in a zip, which is an error where it has another length than the zip
/// states: a few bytes can be made to unpack to more than any memory has.
final class StatedLength extends InputStream {
  private final InputStream content;
  private final FileTree.Item item;
  private long left;

  StatedLength(InputStream content, FileTree.Item item) {
    this.content = content;
    this.item = item;
    left = item.bytes();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int read = 0;
    if (left > 0) {
      read = content.read(target, offset, (int) Math.min(length, left));
      if (read < 0) {
        throw wrong();
      }
      left -= read;
    }
    // It is thrown with the last byte, so that no reader takes the part before it for all.
    if (left == 0 && content.read() >= 0) {
      throw wrong();
    }
    return read == 0 ? -1 : read;
  }

  private ZipException wrong() {
    return new ZipException(
        "a file in the zip has another length than the zip states: file="
            + item.path()
            + ", stated="
            + item.bytes()
            + "; the zip is damaged: take another copy");
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
