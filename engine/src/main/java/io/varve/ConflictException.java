package io.varve;

/// A transaction read what another commit has changed since: nothing of it was written. Run it
/// again, or let [Store#transact] do so. The message names the space, and a key that was changed by
/// its length.
///
/// @since 1.0
public final class ConflictException extends VarveException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message states what happened, where, and what to do.
  public ConflictException(String message) {
    super(message, null);
  }

  /// Makes an exception that also carries the failure that led to it.
  public ConflictException(String message, Throwable cause) {
    super(message, cause);
  }
}
