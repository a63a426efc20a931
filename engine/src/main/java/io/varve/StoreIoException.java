package io.varve;

/// The files of a store could not be opened, read or listed, for a reason outside the store: a
/// missing directory, a permission, a device error. The message names the path.
///
/// @since 1.0
public final class StoreIoException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreIoException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public StoreIoException(String message, Throwable cause) {
    super(message, cause);
  }
}
