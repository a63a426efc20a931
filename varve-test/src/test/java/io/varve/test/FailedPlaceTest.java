package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The n-th write or force of each kind that a commit or checkpoint rests on fails once, and the
/// disk works again immediately: the store must not believe it, must acknowledge nothing more, and
/// is repaired by reopening (D4).
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedPlaceTest {
  private static final int TIMES = 6;
  private static final int COMMITS_MAX = 5000;
  private static final int COMMITS_PER_CHECKPOINT = 25;
  private static final long FIRST_SUPERBLOCK_OFFSET = 0;
  private static final long OPEN_RECORD_OFFSET = 8192;
  private static final long SECOND_SUPERBLOCK_OFFSET = 16384;
  private static final long FIRST_EXTENT_OFFSET = 32768;
  private static final long FIRST_LOG_OFFSET = 4096;

  /// Where a failure strikes.
  enum Place {
    LOG_WRITE(DiskOperation.WRITE, Place::isLog),
    LOG_FORCE(DiskOperation.FORCE, call -> call.name().startsWith("log/")),
    LOG_NAMES(DiskOperation.SYNC_DIRECTORY, call -> call.name().equals("log")),
    PAGE_WRITE(DiskOperation.WRITE, Place::isExtent),
    PAGE_FORCE(DiskOperation.FORCE, Place::isPages),
    OPEN_RECORD(
        DiskOperation.WRITE, call -> isPages(call) && call.position() == OPEN_RECORD_OFFSET),
    SUPERBLOCK(DiskOperation.WRITE, Place::isSuperblock);

    private final DiskOperation operation;
    private final Predicate<DiskCall> where;

    Place(DiskOperation operation, Predicate<DiskCall> where) {
      this.operation = operation;
      this.where = where;
    }

    boolean covers(DiskCall call) {
      return call.operation() == operation && where.test(call);
    }

    private static boolean isLog(DiskCall call) {
      return call.name().endsWith(".log") && call.position() >= FIRST_LOG_OFFSET;
    }

    private static boolean isPages(DiskCall call) {
      return call.name().equals("pages");
    }

    private static boolean isExtent(DiskCall call) {
      return isPages(call) && call.position() >= FIRST_EXTENT_OFFSET;
    }

    private static boolean isSuperblock(DiskCall call) {
      return isPages(call)
          && (call.position() == FIRST_SUPERBLOCK_OFFSET
              || call.position() == SECOND_SUPERBLOCK_OFFSET);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneFailureFailsTheStoreUntilItIsReopenedD4(Place place) {
    for (int number = 1; number <= TIMES; number++) {
      try {
        new History(number).run(place, number);
      } catch (Throwable e) {
        throw new AssertionError("failed at number " + number + " of " + place, e);
      }
    }
  }

  private static final class History {
    private final SimulatedDisk disk;
    private final ConcurrentLinkedQueue<DiskCall> callsSinceFailure = new ConcurrentLinkedQueue<>();
    private int acknowledged;

    /// Whether the store has reported that it failed. What other threads do before counts for
    /// nothing.
    private volatile boolean failed;

    History(long seed) {
      disk = new SimulatedDisk(seed);
    }

    void run(Place place, int number) {
      Store store = SimulatedStore.open(disk, Stores.tiny());
      Space space = store.space("s");
      FaultPlan plan = FaultPlan.nth(number, place::covers, Fault.IO_ERROR);
      disk.faults(call -> watched(plan, call));
      assertThatThrownBy(() -> commitUntilFailure(store, space))
          .isInstanceOf(StoreFailedException.class)
          .hasRootCauseInstanceOf(java.io.IOException.class);
      failed = true;
      requireFailed(store, space);
      store.close();
      requireNothingTriedAgain();
      SimulatedDisk next = number % 2 == 0 ? disk.powerCut() : disk.processCrash();
      reopen(next);
      reopen(next.powerCut());
    }

    private Fault watched(FaultPlan plan, DiskCall call) {
      if (failed) {
        callsSinceFailure.add(call);
      }
      return plan.onCall(call);
    }

    private void commitUntilFailure(Store store, Space space) {
      while (acknowledged < COMMITS_MAX) {
        space.put(Bytes.of(acknowledged), new byte[500]);
        acknowledged++;
        if (acknowledged % COMMITS_PER_CHECKPOINT == 0) {
          store.checkpoint();
        }
      }
    }

    /// No work is taken on or promised, whatever its durability; what is there can be read.
    private void requireFailed(Store store, Space space) {
      long durable = store.statistics().commits().durableLsn();
      for (Durability durability :
          List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND)) {
        assertThatThrownBy(() -> space.with(durability).put(Bytes.of("more"), new byte[1]))
            .isInstanceOf(StoreFailedException.class);
      }
      assertThatThrownBy(store::checkpoint).isInstanceOf(StoreFailedException.class);
      if (store.lastCommit().lsn() > durable) {
        assertThatThrownBy(() -> store.awaitDurable(store.lastCommit()))
            .isInstanceOf(StoreFailedException.class);
      }
      assertThat(store.statistics().commits().durableLsn()).isEqualTo(durable);
      for (int i = 0; i < acknowledged; i++) {
        assertThat(space.get(Bytes.of(i))).hasSize(500);
      }
    }

    /// Bytes of a force that failed may be gone although the next force succeeds, and a superblock
    /// after it would name them. (A segment of the log that is being made may be finished: it is
    /// forced, and the open record states how far the log reaches. Neither promises a commit.)
    private void requireNothingTriedAgain() {
      assertThat(callsSinceFailure)
          .as("calls that promise something, after the failure")
          .noneMatch(Place.SUPERBLOCK::covers)
          .noneMatch(Place.PAGE_FORCE::covers);
    }

    private void reopen(SimulatedDisk crashed) {
      try (Store store = SimulatedStore.open(crashed, Stores.tiny())) {
        Space space = store.space("s");
        for (int i = 0; i < acknowledged; i++) {
          assertThat(space.get(Bytes.of(i))).as("commit %d, acknowledged", i).hasSize(500);
        }
        assertThat(space.count(Range.all())).isBetween((long) acknowledged, acknowledged + 1L);
        space.put(Bytes.of(acknowledged++), new byte[500]);
        store.checkpoint();
        store.verify().requireSound();
      }
    }
  }
}
