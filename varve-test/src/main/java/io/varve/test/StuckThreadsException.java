package io.varve.test;

/// Threads that should have come to an end cannot continue, or continue without end. The message
/// states where each of them is.
public final class StuckThreadsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StuckThreadsException(String message) {
    super(message);
  }
}
