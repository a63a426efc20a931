package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.StoreFailedException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.ForgetfulInsiders;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.ManualClock;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogGeneration;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.Ring;
import io.varve.internal.wal.segment.Segments;
import io.varve.internal.wal.segment.SmallLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A reservation in the log whose owner is gone leaves no thread waiting (PUBLICATION-2).
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostOwnerTest {
  private static final int BODY_BYTES = 100;

  private static Log create(Clock clock) {
    return LogRecovery.createLog(new HookedDisk(), clock, SmallLog.OPTIONS, SmallLog.ID);
  }

  @Test
  void commitsAfterTheFrameOfAThreadThatEndedFail() throws Exception {
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      Log lost = create(Clock.SYSTEM);
      builder.start(() -> Commits.reserve(lost, BODY_BYTES)).join();
      long commit = Commits.append(lost, 1, BODY_BYTES);
      assertThatThrownBy(() -> lost.await(commit, Durability.POWER_LOSS))
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("lost between reserving and writing")
          .hasMessageContaining("reopen");
      lost.close();
    }
  }

  @Test
  void closeEndsAfterTheFrameOfAThreadThatEnded() throws Exception {
    Log log = create(Clock.SYSTEM);
    Thread.ofPlatform().start(() -> Commits.reserve(log, BODY_BYTES)).join();
    assertThatThrownBy(log::close)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("lost between reserving and writing");
    assertThat(log.failure()).hasMessageContaining("lost between reserving and writing");
  }

  /// A thread that finds no memory for the note that it owns a frame has reserved none: nobody
  /// would have found out that it was lost, and each commit after it waited without end, as did a
  /// close.
  @Test
  void aReservationThatFindsNoMemoryLeavesNoFrame() throws Exception {
    var owners = new ForgetfulInsiders();
    var disk = new HookedDisk();
    LogSettings options = SmallLog.OPTIONS;
    var generation =
        new LogGeneration(SmallLog.ID, 1, options.ringBytes(), LogPosition.ORIGIN, null);
    Segments.createDirectory(disk);
    var segments = new Segments(disk, options, generation, 1, null, List.of());
    Ring ring = Ring.create(disk, options, FrameHeader.salt(SmallLog.ID, 1), segments);
    Log log = Log.start(Clock.SYSTEM, options, generation, ring, segments, 0, owners);
    Commits.append(log, 1, BODY_BYTES);
    owners.full(true);
    assertThatThrownBy(() -> log.tryReserve(BODY_BYTES)).isInstanceOf(OutOfMemoryError.class);
    owners.full(false);
    long commit = Commits.append(log, 2, BODY_BYTES);
    log.await(commit, Durability.POWER_LOSS);
    log.close();
    assertThat(log.failure()).isNull();
  }

  /// The clock moves on by hours while the owner does not, as if its core had been taken away.
  @Test
  void ownersThatAreSlowAreWaitedFor() throws Exception {
    var clock = new ManualClock();
    Log slow = create(clock);
    var reserved = new CountDownLatch(1);
    var proceed = new CountDownLatch(1);
    Thread owner =
        Thread.ofPlatform()
            .start(() -> {
              long start = Commits.reserve(slow, BODY_BYTES);
              reserved.countDown();
              try {
                proceed.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              Commits.write(slow, start, 1, BODY_BYTES);
            });
    reserved.await();
    long commit = Commits.append(slow, 2, BODY_BYTES);
    CompletableFuture<Void> durable = slow.whenDurable(commit, Durability.POWER_LOSS);
    for (int i = 0; i < 1000; i++) {
      clock.advance(3_600_000_000_000L);
      Thread.onSpinWait();
    }
    assertThat(slow.failure()).isNull();
    proceed.countDown();
    owner.join();
    while (!durable.isDone()) {
      clock.advance(1_000_000);
    }
    assertThat(durable).isCompleted();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(slow::close);
    while (!closed.isDone()) {
      clock.advance(1_000_000);
    }
    closed.join();
  }
}
