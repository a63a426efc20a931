package io.varve;

/// The files were written by a newer or unknown version of Varve. Nothing was changed. Open them
/// with the version that the message names.
///
/// @since 1.0
public final class UnsupportedFormatException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public UnsupportedFormatException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public UnsupportedFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
