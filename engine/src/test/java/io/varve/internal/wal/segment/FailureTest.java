package io.varve.internal.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreFailedException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A failure reaches all waiters, though memory or stack ran out while they were woken (FAILURE-2).
class FailureTest {
  @Test
  void listenerThatBreaksOffLeavesNoOtherOutAndRunsAgain() {
    Failure failure = new Failure(() -> {});
    AtomicInteger broken = new AtomicInteger();
    AtomicInteger woken = new AtomicInteger();
    failure.onFailure(() -> {
      if (broken.getAndIncrement() == 0) {
        throw new OutOfMemoryError("thrown by a test");
      }
    });
    failure.onFailure(woken::incrementAndGet);
    Error cause = new StackOverflowError();
    failure.fail(cause);
    assertThat(woken).hasValue(1);
    assertThatThrownBy(failure::check).isInstanceOf(StoreFailedException.class).hasCause(cause);
    assertThat(broken).as("runs of the listener that broke off").hasValue(2);
  }

  /// Guards against a commit that is accepted after another caller was notified that the store had
  /// failed: the thread that fails the log may stop before it has shut it (FAILURE-3).
  @Test
  void aThreadThatReportsTheFailureHasShutTheLogD4() {
    var shut = new AtomicInteger();
    Failure[] failures = new Failure[1];
    failures[0] =
        new Failure(() -> {
          if (shut.getAndIncrement() == 0) {
            // Another thread reports the failure while this one has not shut the log yet.
            Throwable cause = Objects.requireNonNull(failures[0].cause());
            assertThat(failures[0].exception(cause)).hasCause(cause);
          }
        });
    failures[0].fail(new IOException("planted"));
    assertThat(shut).hasValue(2);
  }
}
