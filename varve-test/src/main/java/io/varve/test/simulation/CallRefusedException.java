package io.varve.test.simulation;

/// The store refused a call, as it may: there is nothing to check of its answer.
final class CallRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CallRefusedException(Throwable cause) {
    super(cause);
  }
}
