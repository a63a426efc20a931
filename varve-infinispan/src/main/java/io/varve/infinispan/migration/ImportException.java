package io.varve.infinispan.migration;

import org.jspecify.annotations.Nullable;

/// A cache that was not imported. What there was of it in Varve is as it was.
public final class ImportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImportException(String message) {
    super(message);
  }

  ImportException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
