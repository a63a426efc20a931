package io.varve.internal.wal;

import java.io.IOException;

/// What is done along with making a log durable, on the same thread.
@FunctionalInterface
public interface SettlingWork {
  /// Does it. What it throws fails the recovery.
  void run() throws IOException;
}
