package io.varve.test;

import java.io.IOException;

/// The simulated machine or process that made the call is no more.
public final class PowerOffException extends IOException {
  private static final long serialVersionUID = 1L;

  PowerOffException(String message) {
    super(message);
  }
}
