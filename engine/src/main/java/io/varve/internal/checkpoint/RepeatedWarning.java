package io.varve.internal.checkpoint;

import java.util.Objects;
import java.util.function.Consumer;
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
    log(present -> present.log(System.Logger.Level.WARNING, what, cause));
  }

  /// What takes logs is the users' code as well. Whatever it throws, the thread that warns has its
  /// own work to do: others wait for that.
  private void log(Consumer<System.Logger> message) {
    try {
      message.accept(logger.get());
    } catch (RuntimeException | Error _) {
      last = null; // the next failure is logged again
    }
  }

  /// Logs how often the failure came again that was logged last. The next one is logged whatever it
  /// is.
  void end() {
    if (repeats > 0) {
      String message = "the failure came again: times=" + repeats + ", failure=" + last;
      log(present -> present.log(System.Logger.Level.WARNING, message));
    }
    last = null;
    repeats = 0;
  }
}
