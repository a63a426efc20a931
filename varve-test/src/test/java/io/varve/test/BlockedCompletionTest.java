package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a user hangs on the stage of a commit may block forever: it holds up no other stage, and no
/// close. One such callback kept all later stages from completing, after the close as well.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedCompletionTest {
  private static final byte[] VALUE = Bytes.of("v");

  private final SimulatedDisk disk = new SimulatedDisk(3);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void releaseAll() {
    release.countDown();
  }

  /// The threads of this test that block.
  private final Set<Thread> blocked = ConcurrentHashMap.newKeySet();

  private void block() {
    blocked.add(Thread.currentThread());
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static StoreOptions options(boolean ownExecutor) {
    return ownExecutor
        ? Stores.tiny().completionExecutor(task -> Thread.ofPlatform().daemon().start(task))
        : Stores.tiny();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void delaysNoOther(boolean ownExecutor) {
    try (Store store = SimulatedStore.open(disk, options(ownExecutor))) {
      Space space = store.space("s");
      putAndBlock(space, 3);
      for (int i = 10; i < 20; i++) {
        space.async().put(Bytes.of(i), VALUE).toCompletableFuture().join();
      }
    }
  }

  /// Commits that share one force.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void delaysNoOtherOfItsBatch(boolean ownExecutor) {
    Store store = SimulatedStore.open(disk, options(ownExecutor));
    Space space = store.space("s");
    CountDownLatch forcing = holdForces();
    List<CompletableFuture<Commit>> others = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      CompletableFuture<Commit> put = space.async().put(Bytes.of(i), VALUE).toCompletableFuture();
      if (i % 3 == 1) {
        var _ = put.thenRun(this::block);
      } else {
        others.add(put);
      }
    }
    forcing.countDown();
    CompletableFuture.allOf(others.toArray(CompletableFuture<?>[]::new)).join();
    store.close();
  }

  /// Puts, and hangs what blocks on the stages before they complete: later it would block the test.
  private void putAndBlock(Space space, int count) {
    CountDownLatch forcing = holdForces();
    for (int i = 0; i < count; i++) {
      var _ = space.async().put(Bytes.of(i), VALUE).thenRun(this::block);
    }
    forcing.countDown();
  }

  /// Holds up the forces of the log until the latch is counted down.
  private CountDownLatch holdForces() {
    CountDownLatch forcing = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    disk.faults(call -> {
      try {
        if (call.operation() == DiskOperation.FORCE || call.operation() == DiskOperation.WRITE) {
          forcing.await();
        }
      } catch (InterruptedException e) {
        interrupted.set(true);
      }
      return Fault.NONE;
    });
    return forcing;
  }

  /// What was open is completed, though the first completion never ends.
  @Test
  void closeEndsAndCompletesTheRest() {
    Store store = SimulatedStore.open(disk, Stores.tiny());
    Space space = store.space("s");
    putAndBlock(space, 1);
    List<CompletableFuture<Commit>> open = new ArrayList<>();
    for (int i = 1; i < 50; i++) {
      open.add(space.async().put(Bytes.of(i), VALUE).toCompletableFuture());
    }
    store.close();
    CompletableFuture.allOf(open.toArray(CompletableFuture<?>[]::new)).join();
  }

  @Test
  void isReportedOnceAfterASecond() throws InterruptedException {
    LinkedBlockingQueue<String> reports = new LinkedBlockingQueue<>();
    Logger logger = Logger.getLogger("io.varve.internal.wal.group.CompletionWatch");
    Handler handler = collecting(reports, this::isOfThisTest);
    logger.addHandler(handler);
    SimulatedClock clock = new SimulatedClock();
    try (Store store = SimulatedStore.open(disk, clock, Stores.tiny())) {
      Space space = store.space("s");
      putAndBlock(space, 2);
      while (reports.isEmpty()) {
        clock.advance(Duration.ofMillis(20));
        Thread.onSpinWait();
      }
      assertThat(reports.take()).contains("over a second: thread=varve-", "completionsUnderWay=");
      for (int i = 0; i < 200; i++) {
        clock.advance(Duration.ofMillis(20));
        Thread.onSpinWait();
      }
      assertThat(reports).isEmpty();
    } finally {
      logger.removeHandler(handler);
    }
  }

  /// Other stores of this JVM report to the same logger.
  private boolean isOfThisTest(String report) {
    return blocked.stream()
        .anyMatch(thread ->
            report.contains("thread=" + thread.getName() + "#" + thread.threadId() + ","));
  }

  private static Handler collecting(LinkedBlockingQueue<String> reports, Predicate<String> wanted) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        if (wanted.test(record.getMessage())) {
          reports.add(record.getMessage());
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
