package io.varve.internal.wal;

import static io.varve.internal.wal.TestLogs.RING;
import static io.varve.internal.wal.TestLogs.SMALL;
import static io.varve.internal.wal.TestLogs.create;
import static io.varve.internal.wal.TestLogs.isKeeper;
import static io.varve.internal.wal.TestLogs.recover;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.StoreFailedException;
import io.varve.StoreIoException;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogPosition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A log that has failed acknowledges nothing, and ends every wait.
@Timeout(60)
class LogFailureTest {
  /// Guards against a commit that waits forever: nothing releases the ring of a failed log.
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFailedWriteEndsTheWaitOfACommitThatIsLongerThanTheRing() {
    var disk = new HookedDisk();
    Log log = create(disk, SMALL);
    var broken = new IOException("broken");
    disk.hook((call, _, _) -> {
      if (call == HookedDisk.Call.WRITE && !isKeeper()) {
        throw broken;
      }
    });
    assertThatThrownBy(() -> Commits.append(log, 1, 3L * RING))
        .isInstanceOf(StoreFailedException.class)
        .hasCause(broken);
    log.close();
  }

  @Test
  void aFailedWriteFailsAllWhoWaitAndAllLaterCommits() {
    for (HookedDisk.Call failing : List.of(HookedDisk.Call.WRITE, HookedDisk.Call.FORCE)) {
      var disk = new HookedDisk();
      Log log = create(disk, SMALL);
      long good = Commits.commit(log, 1, 100, Durability.POWER_LOSS);
      var broken = new IOException("broken");
      disk.hook((call, _, _) -> {
        if (call == failing && !isKeeper()) {
          throw broken;
        }
      });
      if (failing == HookedDisk.Call.FORCE) {
        // Enough that the ring drains without a force, which then is needed.
        for (int i = 0; i < 30; i++) {
          Commits.append(log, 2, 1000);
        }
        while (log.statistics().batches() < 2) {
          Thread.onSpinWait();
        }
      }
      long lost = Commits.append(log, 3, 100);
      CompletableFuture<Void> future = log.whenDurable(lost, Durability.POWER_LOSS);
      assertThatThrownBy(() -> log.await(lost, Durability.POWER_LOSS))
          .isInstanceOf(StoreFailedException.class)
          .hasCause(broken);
      assertThatThrownBy(future::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(StoreFailedException.class);
      disk.hook((_, _, _) -> {});
      assertThat(log.failure()).isSameAs(broken);
      assertThat(log.tryReserve(100)).isEqualTo(Log.NO_CAPACITY);
      assertThatThrownBy(() -> log.awaitCapacity(100)).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(log::force).isInstanceOf(StoreFailedException.class);
      assertThat(log.durableLsn()).isLessThan(lost).isGreaterThanOrEqualTo(good);
      log.await(good, Durability.POWER_LOSS);
      log.close();
      assertThat(recover(disk.afterPowerLoss(5), LogPosition.ORIGIN).numbers()).startsWith(1L);
    }
  }

  /// Guards against waiting forever for a record that no thread will publish.
  @Test
  void aFailureReleasesWaitersAfterAnUnpublishedRecord() throws InterruptedException {
    Log log = create(new HookedDisk(), SMALL);
    log.awaitCapacity(100);
    assertThat(log.tryReserve(100)).isPositive();
    long later = Commits.append(log, 1, 100);
    var failed = new CountDownLatch(3);
    for (Durability durability : List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH)) {
      Thread.ofPlatform()
          .start(() -> {
            try {
              log.await(later, durability);
            } catch (StoreFailedException e) {
              failed.countDown();
            }
          });
    }
    Thread.ofVirtual()
        .start(() -> {
          try {
            log.await(later, Durability.POWER_LOSS);
          } catch (StoreFailedException e) {
            failed.countDown();
          }
        });
    log.fail(new IllegalStateException("could not encode the record"));
    failed.await();
    log.close();
  }

  /// A failed close of files was forgotten where the log had failed, too.
  @Test
  void aCloseOfAFailedLogReportsFilesThatCannotBeClosed() {
    var disk = new HookedDisk();
    Log log = create(disk, SMALL);
    Commits.commit(log, 1, 100, Durability.POWER_LOSS);
    log.fail(new IOException("broken"));
    disk.failCloses();
    assertThatThrownBy(log::close)
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("broken")
        .cause()
        .hasMessageStartingWith("not closed");
  }

  /// As before, of a log that fails in its close.
  @Test
  void aFailureInACloseSuppressesThatOfTheFiles() {
    var disk = new HookedDisk();
    Log log = create(disk, SMALL);
    Commits.append(log, 1, 100);
    var broken = new IOException("broken");
    disk.hook((call, _, _) -> {
      if (call == HookedDisk.Call.WRITE && !isKeeper()) {
        throw broken;
      }
    });
    disk.failCloses();
    assertThatThrownBy(log::close)
        .isInstanceOf(StoreFailedException.class)
        .hasCause(broken)
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageStartingWith("not closed"));
  }

  /// Guards against an acknowledgement after another thread was notified that the log has failed:
  /// the failure is visible shortly before the end of the log is shut, and a commit may come
  /// between.
  @Test
  void aFailedLogAcknowledgesNothingAnyMoreD4() {
    Log log = create(new HookedDisk(), SMALL);
    log.awaitCapacity(100);
    long published = Commits.append(log, 1, 100);
    log.fail(new IllegalStateException("a force failed"));
    for (Durability durability : Durability.values()) {
      assertThatThrownBy(() -> log.await(published, durability))
          .as("%s", durability)
          .isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(() -> log.whenDurable(published, durability).join())
          .as("%s", durability)
          .hasCauseInstanceOf(StoreFailedException.class);
    }
    log.close();
  }
}
