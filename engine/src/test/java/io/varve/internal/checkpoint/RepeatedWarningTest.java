package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/// A failure that comes again is logged once and counted.
class RepeatedWarningTest {
  private final List<String> lines = new ArrayList<>();

  private final System.Logger logger =
      new System.Logger() {
        @Override
        public String getName() {
          return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
          return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
          lines.add(message + ": " + thrown.getMessage());
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
          lines.add(format);
        }
      };

  @Test
  void theSameFailureIsLoggedOnceAndCounted() {
    var warnings = new RepeatedWarning(() -> logger);
    var failure = new IllegalStateException("disk");
    for (int i = 0; i < 1000; i++) {
      warnings.warn("not written", "disk", failure);
    }
    assertThat(lines).containsExactly("not written: disk");
    warnings.warn("not written", "other", new IllegalStateException("other"));
    assertThat(lines)
        .containsExactly(
            "not written: disk",
            "the failure came again: times=999, failure=disk",
            "not written: other");
    warnings.end();
    warnings.warn("not written", "other", new IllegalStateException("other"));
    assertThat(lines).hasSize(4).endsWith("not written: other");
  }

  /// The thread that writes checkpoints warns: what a program's logger throws ended it, and with it
  /// the store.
  @Test
  void aLoggerThatFailsIsNoConcernOfTheThreadThatWarns() {
    int[] calls = new int[1];
    var warnings =
        new RepeatedWarning(() -> {
          calls[0]++;
          throw new IllegalStateException("no logger");
        });
    var failure = new IllegalStateException("disk");
    warnings.warn("not written", "disk", failure);
    warnings.warn("not written", "disk", failure);
    assertThat(calls[0]).as("tried again").isEqualTo(2);
    warnings.end();
  }
}
