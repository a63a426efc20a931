package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A transaction that read a large value conflicts if another commit changed the value, and not if
/// a compaction moved it: any compaction made such transactions fail, for no change of any user.
class MovedValueConflictTest {
  private static final int VALUE_BYTES = 3 << 20;
  private static final byte[] KEY = Bytes.of("moves");
  private static final byte[] LOWER = Bytes.of("filler 1");
  private static final byte[] UPPER = Bytes.of("filler 2");

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final Store store =
      SimulatedStore.open(disk, Stores.tiny().durability(Durability.BACKGROUND));
  private final Space space = store.space("s");
  private final Space log = store.space("log");

  /// Fillers are below the value, so that it moves when one of them is deleted.
  @BeforeEach
  void putValueAboveFillers() {
    space.put(LOWER, value(1));
    space.put(UPPER, value(2));
    space.put(KEY, value(3));
  }

  @AfterEach
  void storeIsSound() {
    disk.faults(FaultPlan.none());
    store.verify().requireSound();
    store.close();
  }

  private static byte[] value(long seed) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(seed).nextBytes(value);
    return value;
  }

  /// Deletes a filler and moves the value, which the commits of the store itself show.
  private void moveAfterDeleteOf(byte[] filler) {
    space.delete(filler);
    long before = store.lastCommit().lsn();
    store.compact();
    assertThat(store.lastCommit().lsn()).as("commits of the compaction").isGreaterThan(before);
  }

  /// Runs something once, where the check of a commit reads the value without locks.
  private void whileTheCheckReads(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    Thread committer = Thread.currentThread();
    disk.faults(call -> {
      if (Thread.currentThread() == committer
          && call.name().equals("pages")
          && call.operation() == DiskOperation.READ
          && !done.getAndSet(true)) {
        action.run();
      }
      return Fault.NONE;
    });
  }

  private void requireConflict(Transaction transaction) {
    assertThatExceptionOfType(ConflictException.class).isThrownBy(transaction::commit);
    assertThat(log.get(KEY)).isNull();
  }

  @Test
  void aMoveIsNoConflict() {
    Transaction transaction = store.begin();
    assertThat(transaction.get(space, KEY)).isEqualTo(value(3));
    transaction.put(log, KEY, Bytes.of("read"));
    moveAfterDeleteOf(UPPER);
    moveAfterDeleteOf(LOWER);
    transaction.commit();
    assertThat(log.get(KEY)).isEqualTo(Bytes.of("read"));
    assertThat(store.statistics().commits().conflicts()).isZero();
  }

  @Test
  void aRangeIsDeletedWhoseValueHasMoved() {
    Transaction transaction = store.begin();
    assertThat(transaction.deleteRange(space, Range.exactly(KEY))).isOne();
    moveAfterDeleteOf(UPPER);
    transaction.commit();
    assertThat(space.contains(KEY)).isFalse();
  }

  @Test
  void aChangeAfterAMoveIsAConflict() {
    Transaction transaction = store.begin();
    transaction.get(space, KEY);
    transaction.put(log, KEY, Bytes.of("read"));
    moveAfterDeleteOf(UPPER);
    byte[] changed = value(3);
    changed[VALUE_BYTES - 1]++;
    space.put(KEY, changed);
    requireConflict(transaction);
  }

  /// What was compared without locks is old by the time when the locks are taken.
  @Test
  void aChangeDuringTheComparisonIsAConflict() {
    Transaction transaction = store.begin();
    transaction.get(space, KEY);
    transaction.put(log, KEY, Bytes.of("read"));
    moveAfterDeleteOf(UPPER);
    whileTheCheckReads(() -> space.put(KEY, value(4)));
    requireConflict(transaction);
  }

  @Test
  void aMoveDuringTheComparisonIsNoConflict() {
    Transaction transaction = store.begin();
    transaction.get(space, KEY);
    transaction.put(log, KEY, Bytes.of("read"));
    moveAfterDeleteOf(UPPER);
    AtomicBoolean moved = new AtomicBoolean();
    whileTheCheckReads(() -> {
      moveAfterDeleteOf(LOWER);
      moved.set(true);
    });
    transaction.commit();
    assertThat(moved).isTrue();
    assertThat(log.get(KEY)).isEqualTo(Bytes.of("read"));
  }

  /// The extents that the comparison is about to read hold something else by then.
  @Test
  void extentsThatAreUsedAgainDuringTheComparisonAreNoDamage() {
    Transaction transaction = store.begin();
    transaction.get(space, KEY);
    transaction.put(log, KEY, Bytes.of("read"));
    moveAfterDeleteOf(UPPER);
    whileTheCheckReads(() -> {
      moveAfterDeleteOf(LOWER);
      store.checkpoint();
      store.checkpoint();
      space.put(UPPER, value(5));
      space.put(LOWER, value(6));
    });
    transaction.commit();
    assertThat(log.get(KEY)).isEqualTo(Bytes.of("read"));
  }
}
