package io.varve;

/// The store, snapshot, cursor or transaction was used after its close. Nothing was changed.
///
/// @since 1.0
public final class StoreClosedException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreClosedException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public StoreClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
