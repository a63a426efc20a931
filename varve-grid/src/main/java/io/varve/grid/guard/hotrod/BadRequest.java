package io.varve.grid.guard.hotrod;

import java.io.IOException;
import java.io.Serial;

/// Infinispan answers an error of this kind as one of a request that cannot be read, by its text.
class BadRequest extends IOException {
  @Serial private static final long serialVersionUID = 1;

  BadRequest(String message) {
    super(message);
  }

  /// Clients get this, whose class means nothing to them.
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return String.valueOf(getMessage());
  }
}
