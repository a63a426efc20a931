package io.varve.cli.console;

import java.time.Duration;

/// How progress is shown. Called by one thread at a time.
interface ProgressDisplay extends AutoCloseable {
  void show(long done, Duration elapsed);

  @Override
  void close();
}
