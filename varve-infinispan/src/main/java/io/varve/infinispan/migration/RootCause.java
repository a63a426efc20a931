package io.varve.infinispan.migration;

import org.jspecify.annotations.Nullable;

/// The message of an error that Infinispan has wrapped.
final class RootCause {
  private RootCause() {}

  /// The message of the innermost cause, or what that is if it has none.
  static String message(Throwable e) {
    Throwable root = e;
    for (@Nullable Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }
}
