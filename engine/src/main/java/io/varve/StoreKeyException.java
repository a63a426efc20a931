package io.varve;

/// The store and the key do not match: it is encrypted and no key was given, or another one, or a
/// key was given for a store that is not encrypted. Nothing was changed. The message states how to
/// open it.
///
/// @since 1.0
public final class StoreKeyException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public StoreKeyException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public StoreKeyException(String message, Throwable cause) {
    super(message, cause);
  }
}
