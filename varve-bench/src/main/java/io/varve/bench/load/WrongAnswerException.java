package io.varve.bench.load;

/// A store gave an answer that is wrong; the run ends.
public final class WrongAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception that names the wrong answer.
  public WrongAnswerException(String message) {
    super(message);
  }
}
