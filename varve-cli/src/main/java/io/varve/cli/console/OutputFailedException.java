package io.varve.cli.console;

import java.io.IOException;

/// Standard output took no more bytes. Distinguishes a failure of the output from one of any other
/// file.
public final class OutputFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  OutputFailedException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /// Whether the reader of the pipe went away, as `head` does when it has seen enough.
  public boolean isBrokenPipe() {
    String message = getMessage();
    return message != null && message.contains("Broken pipe");
  }
}
