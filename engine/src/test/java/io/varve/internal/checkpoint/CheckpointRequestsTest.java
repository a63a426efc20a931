package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.PageRetention;
import io.varve.StoreFullException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.PageFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the checkpoint thread does not overlook, and what it may take as served.
class CheckpointRequestsTest {
  /// A clock whose time is over as soon as a thread waits for it.
  private static final class CountingClock implements Clock {
    final AtomicInteger waits = new AtomicInteger();

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long currentTimeMillis() {
      return 0;
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      waits.incrementAndGet();
    }
  }

  private final PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME);
  private final Pages pages =
      new Pages(file, new PageCache(file.locks(), PageRetention.S3_FIFO, 1 << 20, 1), 1024);
  private final CountingClock clock = new CountingClock();
  private final CheckpointRequests requests = new CheckpointRequests(new DirtyShare(pages), clock);

  CheckpointRequestsTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  static List<Consumer<CheckpointRequests>> requestsOfOthers() {
    return List.of(
        CheckpointRequests::askForCheckpoint,
        CheckpointRequests::askForMemory,
        CheckpointRequests::askForRemoval,
        CheckpointRequests::stop);
  }

  /// The permit of the thread may be gone by then, as it parks for locks as well.
  @ParameterizedTest
  @MethodSource("requestsOfOthers")
  void theThreadDoesNotWaitWhereAnythingWasAskedBefore(Consumer<CheckpointRequests> ask) {
    requests.await(1);
    assertThat(clock.waits).as("waits without a request").hasValue(1);
    ask.accept(requests);
    requests.await(1);
    assertThat(clock.waits).as("waits with one").hasValue(1);
  }

  @Test
  @Timeout(60)
  void aRequestWakesTheThreadThatWaitedForIt() {
    requests.await(1);
    for (Consumer<CheckpointRequests> ask : requestsOfOthers()) {
      ask.accept(requests);
      LockSupport.park(this); // returns for the permit that the request has given
    }
  }

  @Test
  void aCheckpointServesWhatWasAskedBeforeItAndNoRemoval() {
    requests.askForCheckpoint();
    requests.askForMemory();
    requests.askForRemoval();
    requests.takeCheckpoint();
    assertThat(requests.isCheckpointAsked()).isFalse();
    assertThat(requests.isMemoryAsked()).isFalse();
    requests.await(1);
    assertThat(clock.waits).as("waits with a removal to do").hasValue(0);
    requests.takeRemoval();
    requests.await(1);
    assertThat(clock.waits).hasValue(1);
  }

  @Test
  void aSpillServesMemoryAlone() {
    requests.askForCheckpoint();
    requests.askForMemory();
    requests.takeMemory();
    assertThat(requests.isMemoryAsked()).isFalse();
    assertThat(requests.isCheckpointAsked()).isTrue();
  }

  @Test
  void memoryIsNotAskedForWhileItIsMade() {
    requests.writing(true);
    requests.askForMemory();
    assertThat(requests.isMemoryAsked()).isFalse();
    requests.writing(false);
    requests.askForMemory();
    assertThat(requests.isMemoryAsked()).isTrue();
  }

  @Test
  void aRefusalIsOverOncePagesWereWritten() {
    StoreFullException full = new StoreFullException("no capacity");
    assertThat(requests.refusal(7)).isNull();
    requests.refuse(full, 7);
    assertThat(requests.refusal(7)).isSameAs(full);
    assertThat(requests.refusal(8)).isNull();
  }

  @Test
  void aRetryIsWaitedForExceptByAThreadThatIsToEnd() {
    requests.pause(1);
    assertThat(clock.waits).hasValue(1);
    requests.askForCheckpoint();
    requests.pause(1);
    assertThat(clock.waits).as("what was asked before may be what is retried").hasValue(2);
    requests.stop();
    requests.pause(1);
    assertThat(clock.waits).hasValue(2);
  }
}
