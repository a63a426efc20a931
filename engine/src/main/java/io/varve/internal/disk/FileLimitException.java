package io.varve.internal.disk;

import java.io.IOException;

/// The process or the system may open no more files. Nothing was opened, and nothing has changed.
public final class FileLimitException extends IOException {

  public FileLimitException(String message) {
    super(message);
  }

  public FileLimitException(String message, Throwable cause) {
    super(message, cause);
  }
}
