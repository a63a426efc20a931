package io.varve;

/// A write or force failed, so the store refuses all further commits; reads continue. A commit that
/// was waiting may or may not have become durable: close the store and open it again, which
/// reports.
///
/// @since 1.0
public final class StoreFailedException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreFailedException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public StoreFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
