package io.varve.internal.disk;

import java.io.IOException;

/// The file was closed, before or while it was used.
public final class FileClosedException extends IOException {

  public FileClosedException(String name) {
    super("file is closed: file=" + name);
  }
}
