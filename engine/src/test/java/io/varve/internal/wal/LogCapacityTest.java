package io.varve.internal.wal;

import static io.varve.internal.wal.TestLogs.RING;
import static io.varve.internal.wal.TestLogs.SMALL;
import static io.varve.internal.wal.TestLogs.create;
import static io.varve.internal.wal.TestLogs.createUnderPressure;
import static io.varve.internal.wal.TestLogs.recover;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.StoreClosedException;
import io.varve.StoreFullException;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogPosition;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Commits wait for capacity in the log while a checkpoint may release some, and are refused where
/// none can.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogCapacityTest {
  @Test
  void aFullDiskRefusesBeforeAnyEffectAndLeavesTheLogUsable() {
    var disk = new HookedDisk();
    Log log = create(disk, SMALL);
    log.awaitCapacity(100);
    log.force();
    disk.capacityBytes(disk.usedBytes() + 3 * RING);
    long count = 0;
    long size = 1000;
    while (true) {
      long start = log.tryReserve(size);
      if (start == Log.NO_CAPACITY) {
        try {
          log.awaitCapacity(size);
        } catch (StoreFullException e) {
          break;
        }
        continue;
      }
      Commits.write(log, start, count++, size);
    }
    assertThat(log.failure()).isNull();
    assertThat(count).isGreaterThan(100);
    log.force();
    assertThatThrownBy(() -> log.awaitCapacity(size)).isInstanceOf(StoreFullException.class);
    disk.capacityBytes(Long.MAX_VALUE);
    for (int i = 0; i < 500; i++) {
      Commits.commit(log, count++, size, Durability.PROCESS_CRASH);
    }
    log.close();
    assertThat(recover(disk, LogPosition.ORIGIN).found).hasSize((int) count);
  }

  /// Guards against a large commit that waits without end: small ones took what was released for
  /// it.
  @Test
  void whileOneCommitHasPriorityNoOtherIsReservedD5() throws InterruptedException {
    Log log = create(new HookedDisk(), SMALL);
    log.awaitCapacityWithPriority(100);
    var others = new LinkedBlockingQueue<Long>();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              others.add(log.tryReserve(50));
              others.add(log.hasCapacity(50) ? 1L : 0L);
              log.awaitCapacityForStore(50);
              long ofStore = log.tryReserveForStore(50);
              Commits.write(log, ofStore, 3, 50);
              others.add(ofStore);
              log.awaitCapacity(50);
              others.add(Commits.append(log, 2, 50));
            });
    assertThat(others.take()).isEqualTo(Log.NO_CAPACITY);
    assertThat(others.take()).isZero();
    assertThat(others.take()).as("a commit of the store itself").isNotNegative();
    long start = log.tryReserve(100);
    assertThat(start).as("the commit with priority").isNotNegative();
    other.join();
    assertThat(others.take()).isGreaterThan(log.endOf(start, 100));
    Commits.write(log, start, 1, 100);
    log.close();
  }

  @Test
  void aPriorityEndsWithoutACommit() throws InterruptedException {
    Log log = create(new HookedDisk(), SMALL);
    log.awaitCapacityWithPriority(100);
    Thread other = Thread.ofPlatform().start(() -> Commits.append(log, 1, 50));
    log.endPriority();
    other.join();
    log.close();
    assertThatThrownBy(() -> log.awaitCapacityWithPriority(100))
        .isInstanceOf(StoreClosedException.class);
    Thread late =
        Thread.ofPlatform()
            .start(() ->
                assertThatThrownBy(() -> log.awaitCapacityWithPriority(100))
                    .isInstanceOf(StoreClosedException.class));
    late.join();
  }

  @Test
  void theCapMakesCommitsWaitForARelease() throws InterruptedException {
    var disk = new HookedDisk();
    var asked = new CountDownLatch(1);
    Log log = create(disk, SMALL.logBytesMax(2 * RING).askForCheckpoint(asked::countDown));
    var released = new AtomicBoolean();
    var last = new AtomicLong();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              while (!released.get()) {
                last.set(Commits.append(log, 1, 1000));
              }
            });
    asked.await(); // that thread waits
    released.set(true);
    log.force();
    log.releaseBefore(last.get());
    waiting.join();
    assertThat(log.retainedBytes()).isLessThan(4 * FrameHeader.BLOCK);
    Commits.commit(log, 2, 1000, Durability.POWER_LOSS);
    log.close();
  }

  /// Guards against a wait without end: a checkpoint releases what the one before it kept, so the
  /// first may free nothing, and one may fail.
  @Test
  void checkpointsAreAskedForUntilThereIsCapacity() {
    var asked = new AtomicInteger();
    var previous = new AtomicLong();
    Log log =
        createUnderPressure(
            SMALL.logBytesMax(2 * RING),
            opened -> {
              if (asked.incrementAndGet() % 5 == 0) {
                opened.refuseCapacity(new IOException("no capacity for a checkpoint"));
                return;
              }
              opened.force();
              opened.releaseBefore(previous.getAndSet(opened.position().lsn()));
            });
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      try {
        Commits.commit(log, 1, 1000, Durability.BACKGROUND);
      } catch (StoreFullException e) {
        refused++;
      }
    }
    assertThat(asked.get()).isGreaterThan(20);
    assertThat(refused).isLessThanOrEqualTo(asked.get() / 5);
    log.close();
  }

  @Test
  void whoWaitsForACheckpointCanBeRefused() throws InterruptedException {
    var full = new AtomicBoolean();
    Log log =
        createUnderPressure(
            SMALL.logBytesMax(2 * RING),
            opened -> {
              if (full.get()) {
                opened.refuseCapacity(new IOException("no capacity for a checkpoint"));
              }
            });
    // Marks take some as well, at any time: this thread is never to wait for a release.
    while (log.retainedBytes() < 2 * RING - 4 * FrameHeader.MARK_BYTES_MAX) {
      Commits.append(log, 1, 1000);
    }
    full.set(true);
    var refused = new CompletableFuture<Throwable>();
    Thread.ofPlatform()
        .start(() -> {
          try {
            while (true) {
              log.awaitCapacity(1000);
              Commits.append(log, 1, 1000);
              log.releaseBefore(0);
            }
          } catch (StoreFullException e) {
            refused.complete(e);
          }
        });
    while (!refused.isDone()) {
      log.refuseCapacity(new IOException("no capacity for a checkpoint"));
      Thread.onSpinWait();
    }
    assertThat(log.failure()).isNull();
    log.close();
  }
}
