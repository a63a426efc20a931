package io.varve.control;

/// The process that holds a store did not do what it was asked for over its control socket.
///
/// @since 1.0
public final class ControlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Why not.
  ///
  /// @since 1.0
  public enum Reason {
    /// There is no such space.
    NOT_FOUND,
    /// The request makes no sense there, as a query with a mistake.
    BAD_REQUEST,
    /// The socket allows no other user, or no such request.
    REFUSED,
    /// It answers as many others as it may.
    BUSY,
    /// The answer took longer than the socket allows.
    TOO_LONG,
    /// The store has failed or is closed, or the process ended the connection.
    FAILED
  }

  private final Reason reason;

  /// A refusal.
  ///
  /// @since 1.0
  public ControlException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /// A refusal with its cause.
  ///
  /// @since 1.0
  public ControlException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /// Why the request was refused.
  ///
  /// @since 1.0
  public Reason reason() {
    return reason;
  }
}
