package io.varve.internal.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.StoreFullException;
import io.varve.internal.disk.FileLimitException;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.wal.format.FrameHeader;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the thread that makes segments ready does, and when it asks for a checkpoint.
@Timeout(60)
class SegmentAllocatorTest {
  private static final int RING = LogSettings.RING_BYTES_MIN;
  private static final int SEGMENT = 4 * RING;
  private static final long CAP = 8L * SEGMENT;

  /// Where the log begins: not at 0, so that it matters from where a length is counted.
  private static final long FIRST = 16L * SEGMENT;

  private final HookedDisk disk = new HookedDisk();
  private final Tail tail = new Tail(RING, FrameHeader.BODY, CAP, FIRST, FIRST);
  private final Failure failure = new Failure(tail::close);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean scarce = new AtomicBoolean();
  private Thread thread;
  private Segments segments;
  private final SegmentAllocator allocator = allocator(false);

  private SegmentAllocator allocator(boolean keeps) {
    var threads =
        new StoreThreads() {
          @Override
          public Thread newThread(String name, Runnable work) {
            thread = StoreThreads.PLATFORM.newThread(name, work);
            return thread;
          }

          @Override
          public boolean callerMayServe() {
            return true;
          }
        };
    LogSettings options =
        LogSettings.defaults()
            .ringBytes(RING)
            .segmentBytes(SEGMENT)
            .prepareBytes(RING)
            .logBytesMax(CAP)
            .askForCheckpoint(asked::incrementAndGet)
            .keeps(keeps)
            .threads(threads);
    segments = new Segments(disk, options, SmallLog.generation(FIRST), 1, null, List.of());
    var memory = SmallLog.ring(Arena.ofAuto().allocate(RING, 8), 0);
    return new SegmentAllocator(segments, tail, failure, this::wakeWaiters, options, memory);
  }

  private void wakeWaiters() {
    if (scarce.get()) {
      throw new OutOfMemoryError("planted");
    }
  }

  @AfterEach
  void stop() {
    allocator.stop();
    assertThat(thread.isAlive()).isFalse();
    assertThat(failure.isFailed()).isEqualTo(scarce.get());
  }

  private void startAndRest() {
    allocator.start();
    awaitRest();
  }

  /// Waits until the thread has nothing to do.
  private void awaitRest() {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  /// Asks for more log, and waits until it is there.
  private void prepareTo(long lsn) {
    allocator.request(lsn);
    while (tail.preparedLsn() < lsn) {
      Thread.onSpinWait();
    }
    awaitRest();
  }

  /// The thread ended, and commits waited for segments forever.
  @Test
  void aLackOfMemoryFailsTheLog() {
    scarce.set(true);
    startAndRest();
    assertThat(failure.cause()).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void logIsReadyAheadOfTheTail() {
    startAndRest();
    assertThat(tail.preparedLsn()).isEqualTo(FIRST + RING);
    assertThat(tail.moveForMark(FIRST, FIRST + 8)).isTrue();
    allocator.tailMoved(FIRST + 8);
    while (tail.preparedLsn() < FIRST + 2L * RING) {
      Thread.onSpinWait();
    }
    awaitRest();
    assertThat(tail.preparedLsn()).isEqualTo(FIRST + 2L * RING);
  }

  /// Commits that find too little again and again, as where the thread is slow, make no store
  /// larger that has written little.
  @Test
  void noMoreIsReadyAheadThanWasWritten() {
    startAndRest();
    for (long i = 1; i <= 8; i++) {
      prepareTo(FIRST + RING + 8 * i);
    }
    assertThat(tail.preparedLsn()).isEqualTo(FIRST + 2L * RING);
    assertThat(tail.moveForMark(FIRST, FIRST + 3L * RING)).isTrue();
    prepareTo(FIRST + 5L * RING);
    assertThat(tail.preparedLsn()).isEqualTo(FIRST + 6L * RING);
  }

  @Test
  void aRequestIsPreparedToItsEnd() {
    startAndRest();
    long wanted = FIRST + SEGMENT + RING;
    long request = allocator.request(wanted);
    while (tail.preparedLsn() < wanted) {
      Thread.onSpinWait();
    }
    assertThat(allocator.refusal(request)).isNull();
    assertThat(allocator.ticket()).isEqualTo(request + 1);
  }

  /// The log grows to three quarters of its cap from where it begins.
  @Test
  void aCheckpointIsAskedForWhenTheLogIsLong() {
    startAndRest();
    long limit = FIRST + CAP / 4 * 3;
    allocator.tailMoved(limit);
    prepareTo(FIRST + SEGMENT);
    assertThat(asked).hasValue(0);
    allocator.tailMoved(limit + 1);
    awaitAsked(1);
    // Once, until a checkpoint has ended.
    allocator.tailMoved(limit + 2);
    prepareTo(FIRST + 2L * SEGMENT);
    assertThat(asked).hasValue(1);
    allocator.released();
    allocator.tailMoved(limit + 3);
    awaitAsked(2);
  }

  private void awaitAsked(int times) {
    while (asked.get() < times) {
      Thread.onSpinWait();
    }
    awaitRest();
  }

  /// A thread that waits for log that the disk has no capacity for is refused, and a checkpoint is
  /// asked for; the next request tries again.
  @Test
  void aFullDiskRefusesWhatWasRequested() {
    startAndRest();
    disk.capacityBytes(disk.usedBytes());
    long request = allocator.request(FIRST + CAP);
    awaitAsked(1);
    StoreFullException refusal = allocator.refusal(request);
    assertThat(refusal)
        .hasMessageContaining("log cannot grow: preparedLsn=" + tail.preparedLsn())
        .hasMessageContaining("retainedBytes=0")
        .hasMessageEndingWith("; free disk space, then try again");
    assertThat(allocator.refusal(request + 1)).isNull();
    disk.capacityBytes(Long.MAX_VALUE);
    allocator.released();
    long again = allocator.request(FIRST + SEGMENT);
    while (tail.preparedLsn() < FIRST + SEGMENT) {
      Thread.onSpinWait();
    }
    assertThat(allocator.refusal(again)).isNull();
  }

  /// A commit was refused although the log had released a segment: its file had not been made a
  /// spare one yet.
  @Test
  void whatIsReleasedWhileTheDiskFillsIsUsed() {
    startAndRest();
    prepareTo(FIRST + 2L * SEGMENT);
    disk.capacityBytes(disk.usedBytes());
    disk.hook((call, _, _) -> {
      if (call == HookedDisk.Call.WRITE) {
        segments.release(FIRST + SEGMENT);
      }
    });
    long request = allocator.request(FIRST + 3L * SEGMENT);
    while (tail.preparedLsn() < FIRST + 3L * SEGMENT && allocator.refusal(request) == null) {
      Thread.onSpinWait();
    }
    assertThat(allocator.refusal(request)).isNull();
  }

  /// So is one that waits for log whose file cannot be opened. No spare is deleted, since that
  /// frees none.
  @Test
  void aLimitOfOpenFilesRefusesWhatWasRequested() {
    startAndRest();
    disk.hook((call, name, _) -> {
      if (call == HookedDisk.Call.OPEN) {
        throw new FileLimitException("for this test: " + name);
      }
    });
    long request = allocator.request(FIRST + CAP);
    awaitAsked(1);
    assertThat(allocator.refusal(request))
        .hasMessageContaining("log cannot grow: preparedLsn=" + tail.preparedLsn())
        .hasMessageContaining("raise the limit of open files")
        .hasCauseInstanceOf(FileLimitException.class);
    disk.hook((_, _, _) -> {});
    long again = allocator.request(FIRST + 2L * SEGMENT);
    while (tail.preparedLsn() < FIRST + 2L * SEGMENT) {
      Thread.onSpinWait();
    }
    assertThat(allocator.refusal(again)).isNull();
  }

  /// What fills a disk there may be the archive.
  @Test
  void aRefusalNamesTheArchiveWhereThereIsOne() {
    SegmentAllocator archiving = allocator(true);
    long request = archiving.request(FIRST + RING);
    archiving.refuseAll(new IllegalStateException("for this test"));
    assertThat(archiving.refusal(request))
        .hasMessageContaining("take a backup, which deletes archived log (log/kept)");
    archiving.stop();
  }

  @Test
  void allWhoWaitAreRefusedTogether() {
    long first = allocator.request(FIRST + RING);
    long second = allocator.ticket();
    allocator.refuseAll(new IllegalStateException("for this test"));
    assertThat(allocator.refusal(first)).isNotNull();
    assertThat(allocator.refusal(second)).hasRootCauseMessage("for this test");
    assertThat(allocator.refusal(allocator.ticket())).isNull();
  }
}
