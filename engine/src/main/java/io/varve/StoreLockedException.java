package io.varve;

/// Another process, or another open store of this process, holds the directory. The message names
/// the process id of the holder.
///
/// @since 1.0
public final class StoreLockedException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreLockedException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public StoreLockedException(String message, Throwable cause) {
    super(message, cause);
  }
}
