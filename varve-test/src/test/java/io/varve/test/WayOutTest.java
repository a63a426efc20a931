package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever is committed on a full disk, there is a way out by the store alone: what would leave no
/// capacity for the next checkpoint is refused before it takes effect.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WayOutTest {
  private static final int VALUE_BYTES = 400;

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final SplittableRandom random = new SplittableRandom(1);

  private static StoreOptions options(int mebibytes) {
    return StoreOptions.defaults()
        .diskBytesMax((long) mebibytes << 20)
        .durability(Durability.BACKGROUND);
  }

  /// Fills the store.
  ///
  /// @return how many keys it took
  private int fill(Space space) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; ; i++) {
      random.nextBytes(value);
      try {
        space.put(Bytes.of(i), value);
      } catch (StoreFullException e) {
        return i;
      }
    }
  }

  /// Deletes and compacts until puts are taken again, also after a reopen.
  private void requireWayOut(Store store, StoreOptions options, int count) {
    Space space = store.space("s");
    for (int i = 0; i < 40; i++) {
      space.delete(Bytes.of(i * 31 % count));
    }
    store.compact();
    space.deleteRange(Range.all());
    store.compact();
    space.put(Bytes.of("after"), new byte[VALUE_BYTES]);
    store.verify().requireSound();
    store.close();
    try (Store again = SimulatedStore.open(disk, options)) {
      again.space("s").put(Bytes.of("reopened"), new byte[VALUE_BYTES]);
    }
  }

  /// Each delete is of another leaf, and so dirties as much as a put.
  @Test
  void transactionsOfDeletesLeaveCapacityForTheNextCheckpoint() {
    StoreOptions options = options(8);
    Store store = SimulatedStore.open(disk, options);
    Space space = store.space("s");
    int count = fill(space);
    for (int size : new int[] {300, 100, 30, 10}) {
      int step = count / size;
      int shift = size % 7;
      try {
        store.transact(transaction -> {
          for (int i = 0; i < size; i++) {
            transaction.delete(space, Bytes.of(i * step + shift));
          }
        });
      } catch (StoreFullException e) {
        assertThat(space.get(Bytes.of(shift))).as("refused without effect").isNotNull();
      }
    }
    requireWayOut(store, options, count);
  }

  /// Each transaction would fit, and all together would not.
  @Test
  void concurrentTransactionsLeaveCapacityForTheNextCheckpoint() throws Exception {
    StoreOptions options = options(64).cacheBytes(1 << 30);
    Store store = SimulatedStore.open(disk, options);
    Space space = store.space("s");
    byte[] value = new byte[VALUE_BYTES];
    int count = (30 << 20) / 450;
    for (int i = 0; i < count; i++) {
      random.nextBytes(value);
      space.put(Bytes.of(i), value);
    }
    store.checkpoint();
    store.checkpoint();
    int parts = 8;
    CyclicBarrier all = new CyclicBarrier(parts);
    Threads threads = new Threads();
    for (int part = 0; part < parts; part++) {
      int from = part * (count / parts);
      threads.start(() -> {
        try (Transaction transaction = store.begin()) {
          for (int i = from; i < from + count / parts; i += 8) {
            transaction.put(space, Bytes.of(i), new byte[VALUE_BYTES - 10]);
          }
          all.await();
          transaction.commit();
        } catch (StoreFullException e) {
          // some are refused, which is the point
        }
      });
    }
    threads.join();
    store.checkpoint();
    requireWayOut(store, options, count);
  }

  /// What a snapshot held is free when it is closed, though no checkpoint fits before.
  @Test
  void aSnapshotThatIsClosedFreesItsCapacity() {
    StoreOptions options = options(16);
    Store store = SimulatedStore.open(disk, options);
    Space space = store.space("s");
    int count = fill(space);
    int refused = 0;
    try (Snapshot _ = store.snapshot()) {
      for (int i = 0; i < 3_000 && refused < 3; i++) {
        try {
          space.delete(Bytes.of(i * 7 % count));
        } catch (StoreFullException e) {
          refused++;
        }
      }
    }
    assertThat(refused).as("deletes that the snapshot left no capacity for").isPositive();
    requireWayOut(store, options, count);
  }

  /// A commit that a compaction would have found capacity for was refused without one, if a larger
  /// one had just been refused.
  @Test
  void aSmallCommitIsNotRefusedForALargeOne() {
    StoreOptions options = options(16).checkpointInterval(Duration.ofHours(1));
    try (Store store = SimulatedStore.open(disk, options)) {
      Space values = store.space("values");
      int count = 0;
      try {
        for (; ; count++) {
          byte[] value = new byte[20_000]; // less than the pieces that are counted on
          random.nextBytes(value);
          values.put(Bytes.of(count), value);
        }
      } catch (StoreFullException e) {
        assertThat(count).isGreaterThan(100);
      }
      for (int i = 0; i < count; i += 2) {
        values.delete(Bytes.of(i));
      }
      store.checkpoint();
      store.checkpoint();
      Space pages = store.space("pages");
      assertThatThrownBy(() -> putAll(store, pages, 40_000)).isInstanceOf(StoreFullException.class);
      putAll(store, pages, 200);
      store.verify().requireSound();
    }
  }

  private static void putAll(Store store, Space space, int count) {
    store.transact(transaction -> {
      for (int i = 0; i < count; i++) {
        transaction.put(space, Bytes.of(i), new byte[VALUE_BYTES]);
      }
    });
  }
}
