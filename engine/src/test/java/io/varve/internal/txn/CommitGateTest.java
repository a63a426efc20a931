package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.StoreFailedException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.ForgetfulInsiders;
import io.varve.internal.lock.StoreLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CommitGateTest {
  private static final int ROUNDS = 20;

  /// The scheduler of virtual threads may continue forever with one that yields. It may never come
  /// to one that a platform thread has woken, even if there are no more of them than cores.
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoShutsTheGateLeavesItsCoreToVirtualThreadsInside() throws Exception {
    int gates = Runtime.getRuntime().availableProcessors();
    for (int round = 0; round < ROUNDS; round++) {
      List<Commit> commits = new ArrayList<>();
      List<Thread> shutters = new ArrayList<>();
      for (int i = 0; i < gates; i++) {
        var commit = new Commit();
        commits.add(commit);
        commit.entered.await();
        shutters.add(commit.shutFromOutside());
      }
      for (Commit commit : commits) {
        commit.leave();
      }
      for (Thread shutter : shutters) {
        assertThat(shutter.join(Duration.ofSeconds(60))).as("the gate is shut").isTrue();
      }
    }
  }

  /// (GATE-3)
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shuttingEndsAfterAThreadThatEndedInside() throws Exception {
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      List<Throwable> failures = new ArrayList<>();
      var gate = new CommitGate(Clock.SYSTEM, new StoreLocks(), failures::add);
      builder.start(gate::enter).join();
      assertThatThrownBy(gate::shut)
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("lost while it applied a commit");
      assertThat(failures).hasSize(1);
      assertThat(gate.tryEnter()).as("the gate is open again").isTrue();
      gate.exit();
    }
  }

  /// A thread that finds no memory at the entrance is not inside, nor is it lost there (GATE-3). It
  /// was counted before, and a checkpoint waited for it without end.
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shuttingEndsAfterAThreadThatFoundNoMemoryToEnter() {
    List<Throwable> failures = new ArrayList<>();
    var insiders = new ForgetfulInsiders();
    var gate = new CommitGate(Clock.SYSTEM, new StoreLocks(), failures::add, insiders);
    insiders.full(true);
    assertThatThrownBy(gate::enter).isInstanceOf(OutOfMemoryError.class);
    insiders.full(false);
    gate.shut();
    gate.open();
    assertThat(failures).isEmpty();
    assertThat(gate.tryEnter()).isTrue();
    gate.exit();
  }

  /// A thread that waits for the gate is outside, and enters when it is open.
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void threadsThatFindTheGateShutAreNotLost() throws Exception {
    List<Throwable> failures = new ArrayList<>();
    var gate = new CommitGate(Clock.SYSTEM, new StoreLocks(), failures::add);
    gate.shut();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              assertThat(gate.tryEnter()).isFalse();
              gate.enter();
              gate.exit();
            });
    while (other.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    gate.open();
    other.join();
    gate.shut();
    gate.open();
    assertThat(failures).isEmpty();
  }

  /// A virtual thread inside a gate of its own, which leaves when a platform thread asks it to.
  private static final class Commit {
    final CountDownLatch entered = new CountDownLatch(1);
    private final CommitGate gate = new CommitGate(Clock.SYSTEM, new StoreLocks(), _ -> {});
    private final CountDownLatch shutting = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().start(this::run);
    private volatile boolean mayLeave;

    private void run() {
      gate.enter();
      entered.countDown();
      while (!mayLeave) {
        LockSupport.park(this);
      }
      gate.exit();
    }

    Thread shutFromOutside() throws InterruptedException {
      Thread shutter =
          Thread.ofVirtual()
              .start(() -> {
                shutting.countDown();
                gate.shut();
                gate.open();
              });
      shutting.await();
      return shutter;
    }

    void leave() {
      mayLeave = true;
      LockSupport.unpark(thread);
    }
  }
}
