package io.varve.internal.checkpoint;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Logs a failure that comes again and again once, with its stack trace, and then counts it: a
/// failed store meets the same one at each attempt to write a checkpoint. For one thread.
final class RepeatedWarning {
  private final Supplier<System.Logger> logger;
  private @Nullable String last;
  private long repeats;

  /// @param logger asked at the first failure: the first one of a JVM loads some sixty classes
  RepeatedWarning(Supplier<System.Logger> logger) {
    this.logger = logger;
  }

  /// Logs a failure, unless it is the one that was logged last.
  ///
  /// @param failure what distinguishes it from others
  void warn(String what, String failure, Throwable cause) {
    if (Objects.equals(failure, last)) {
      repeats++;
      return;
    }
    end();
    last = failure;
    logger.get().log(System.Logger.Level.WARNING, what, cause);
  }

  /// Logs how often the failure came again that was logged last. The next one is logged whatever it
  /// is.
  void end() {
    if (repeats > 0) {
      logger
          .get()
          .log(
              System.Logger.Level.WARNING,
              "the failure came again: times=" + repeats + ", failure=" + last);
    }
    last = null;
    repeats = 0;
  }
}
