package io.varve.grid.node;

/// A node cannot start, for a reason that its user can do something about: the message is one line
/// that states which, and what to do.
public final class NodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// A failure without a cause below it.
  public NodeException(String message) {
    super(message);
  }

  /// A failure for the reason given.
  public NodeException(String message, Throwable cause) {
    super(message, cause);
  }
}
