package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Stages of asynchronous commits are completed by the executor that the options name.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionExecutorTest {
  private static final byte[] KEY = Bytes.of("k");
  private static final byte[] VALUE = Bytes.of("v");

  private final SimulatedDisk disk = new SimulatedDisk(17);

  private Store open(Executor executor) {
    return SimulatedStore.open(disk, Stores.tiny().completionExecutor(executor));
  }

  @Test
  void nobodyElseCompletesThem() throws InterruptedException {
    BlockingQueue<Runnable> given = new LinkedBlockingQueue<>();
    try (Store store = open(given::add)) {
      CompletableFuture<Commit> put =
          store.space("s").async().put(KEY, VALUE).toCompletableFuture();
      Runnable task = given.take();
      assertThat(store.statistics().commits().durableLsn())
          .isGreaterThanOrEqualTo(store.lastCommit().lsn());
      assertThat(put).isNotDone();
      task.run();
      assertThat(put).isCompletedWithValue(store.lastCommit());
      assertThat(given).isEmpty();
    }
  }

  @Test
  void whatTheExecutorRefusesIsDoneByTheStore() {
    Executor closed =
        _ -> {
          throw new RejectedExecutionException("closed");
        };
    try (Store store = open(closed)) {
      Commit commit = store.space("s").async().put(KEY, VALUE).toCompletableFuture().join();
      assertThat(commit).isEqualTo(store.lastCommit());
      assertThat(store.space("s").put(KEY, VALUE)).isGreaterThan(commit);
    }
  }

  @Test
  void anExecutorWithoutThreadsFailsNoCommit() {
    Executor exhausted =
        _ -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    try (Store store = open(exhausted)) {
      store.space("s").async().put(KEY, VALUE).toCompletableFuture().join();
    }
    assertThat(Model.of(SimulatedStore.open(disk, StoreOptions.defaults())).get("s", KEY))
        .isEqualTo(VALUE);
  }

  /// A pool that is full runs a task in the thread that gives it: the one that writes the log.
  @Test
  void whatBlocksInAnExecutorOfTheCallerKeepsNoCommitWaiting() throws InterruptedException {
    CountDownLatch registered = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Store store = open(Runnable::run)) {
      Space space = store.space("s");
      // A commit that is durable before the task hangs on its stage would have it run here.
      disk.faults(call -> {
        if (call.operation().isMutating()) {
          awaitEnd(registered);
        }
        return Fault.NONE;
      });
      space
          .async()
          .put(KEY, VALUE)
          .thenAccept(_ -> {
            blocked.countDown();
            awaitEnd(end);
          });
      registered.countDown();
      blocked.await();
      assertThat(space.put(KEY, VALUE)).isEqualTo(store.lastCommit());
      end.countDown();
    }
  }

  private static void awaitEnd(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
