package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreIoException;
import io.varve.internal.disk.ManualClock;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the thread of a commit learns of the compaction that it waits for.
class CompactionRequestTest {
  private final ManualClock clock = new ManualClock();

  private CompactionRequest request() {
    return new CompactionRequest(clock, 10, () -> true);
  }

  @Test
  void itsTimeIsOverAtTheDeadline() {
    CompactionRequest request = request();
    clock.advance(9);
    assertThat(request.isLate()).isFalse();
    clock.advance(1);
    assertThat(request.isLate()).isTrue();
  }

  @Test
  @Timeout(60)
  void itsEndWakesTheThreadThatMadeIt() {
    CompactionRequest request = request();
    assertThat(request.isDone()).isFalse();
    request.end(null);
    LockSupport.park(this); // returns for the permit that the end has given
    assertThat(request.isDone()).isTrue();
    assertThatCode(request::requireSound).doesNotThrowAnyException();
  }

  @Test
  void aFailureIsThrownOnceItHasEnded() {
    CompactionRequest request = request();
    StoreIoException cause = new StoreIoException("unreadable");
    assertThatCode(request::requireSound).as("under way").doesNotThrowAnyException();
    request.end(cause);
    assertThatThrownBy(request::requireSound).isSameAs(cause);
  }
}
