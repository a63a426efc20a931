package io.varve.internal.disk;

import java.io.IOException;

/// The disk (or a quota) has no capacity for what was to be written. Part of it may have been
/// written.
public final class DiskFullException extends IOException {

  public DiskFullException(String message) {
    super(message);
  }

  public DiskFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
