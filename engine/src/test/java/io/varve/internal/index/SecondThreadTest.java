package io.varve.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.internal.disk.StoreThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who begins work on a second thread waits for its end, whatever happens to either.
@Timeout(30)
class SecondThreadTest {
  /// A system that has no more threads for this process.
  private static final StoreThreads NONE =
      new StoreThreads() {
        @Override
        public Thread newThread(String name, Runnable work) {
          throw new OutOfMemoryError("no threads");
        }

        @Override
        public boolean callerMayServe() {
          return true;
        }
      };

  @Test
  void itsResultIsThatOfTheWork() {
    assertThat(SecondThread.begin(StoreThreads.PLATFORM, () -> 5).await()).isEqualTo(5);
    assertThat(SecondThread.begin(NONE, () -> 5).await()).isEqualTo(5);
  }

  @Test
  void whatTheWorkThrowsIsThrown() {
    var full = new IllegalStateException("full");
    var exhausted = new OutOfMemoryError("exhausted");
    for (StoreThreads threads : new StoreThreads[] {StoreThreads.PLATFORM, NONE}) {
      var failed = SecondThread.begin(threads, () -> fail(full));
      failed.finish();
      assertThatThrownBy(failed::await).isSameAs(full);
      assertThatThrownBy(SecondThread.begin(threads, () -> failBy(exhausted))::await)
          .isSameAs(exhausted);
    }
  }

  private static int fail(RuntimeException failure) {
    throw failure;
  }

  private static int failBy(Error failure) {
    throw failure;
  }

  /// An interrupt ends no wait, and is not lost.
  @Test
  void itHasEndedWhenTheWaitHas() {
    var mayEnd = new CountDownLatch(1);
    var ended = new AtomicBoolean();
    SecondThread<Boolean> second =
        SecondThread.begin(
            StoreThreads.PLATFORM,
            () -> {
              awaitQuietly(mayEnd);
              ended.set(true);
              return true;
            });
    Thread.currentThread().interrupt();
    new Thread(mayEnd::countDown).start();
    second.finish();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ended).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
