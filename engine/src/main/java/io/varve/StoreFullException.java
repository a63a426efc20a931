package io.varve;

/// The disk (or a configured bound) has no capacity for the commit, or no more files may be opened
/// for its log. It was refused before it took effect; reads continue. Free capacity and try again:
/// the store need not be reopened.
///
/// @since 1.0
public final class StoreFullException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreFullException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public StoreFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
