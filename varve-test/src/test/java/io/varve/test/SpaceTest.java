package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.Verification;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Space that is freed is used again, and the file shrinks online: the contract on disk space.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpaceTest {
  /// Where pages begin in their file, after the superblocks.
  private static final long FIRST_EXTENT = 32_768;

  private static final int KEYS = 4000;
  private static final int VALUE_BYTES = 300;

  private final StoreOptions options = Stores.tiny().durability(Durability.BACKGROUND);

  @Test
  void rewritingTheSameKeysKeepsTheFileFlat(@TempDir Path directory) {
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(1);
      putAll(space, random);
      store.checkpoint();
      long live = liveBytes(store);
      for (int round = 0; round < 30; round++) {
        putAll(space, random);
        store.checkpoint();
        // Twice the live bytes plus one checkpoint, which here rewrites them all.
        assertThat(store.statistics().disk().pageFileBytes())
            .as("file after round %d", round)
            .isLessThan(2 * live + 2 * live);
      }
      requireCount(store, space, KEYS);
    }
  }

  /// Only a few pages change between checkpoints, all over the file.
  @Test
  void scatteredUpdatesKeepTheFileFlat(@TempDir Path directory) {
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(2);
      putAll(space, random);
      store.checkpoint();
      long live = liveBytes(store);
      for (int round = 0; round < 150; round++) {
        for (int i = 0; i < 40; i++) {
          space.put(Bytes.of(random.nextInt(KEYS)), value(random));
        }
        store.checkpoint();
        assertThat(store.statistics().disk().pageFileBytes())
            .as("file after round %d", round)
            .isLessThan(4 * live);
      }
      requireCount(store, space, KEYS);
    }
  }

  @Test
  void rewritingLargeValuesKeepsTheFileFlat(@TempDir Path directory) {
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(3);
      for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 8; i++) {
          byte[] value = new byte[60_000 + random.nextInt(60_000)];
          random.nextBytes(value);
          space.put(Bytes.of(i), value);
        }
        store.checkpoint();
      }
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(4 * 8 * 120_000L);
      requireCount(store, space, 8);
    }
  }

  @Test
  void massDeleteAndCompactGiveTheFileBack(@TempDir Path directory) {
    long full;
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(4);
      putAll(space, random);
      store.checkpoint();
      full = store.statistics().disk().pageFileBytes();
      assertThat(full).isGreaterThan((long) KEYS * VALUE_BYTES);
      for (int i = 0; i < KEYS; i++) {
        if (i % 100 != 0) {
          space.delete(Bytes.of(i));
        }
      }
      store.checkpoint();
      long before = store.statistics().disk().pageFileBytes();
      long given = store.compact();
      long after = store.statistics().disk().pageFileBytes();
      assertThat(given).isEqualTo(before - after);
      assertThat(after).as("file after compaction").isLessThan(full / 4);
      requireCount(store, space, KEYS / 100);
    }
    try (Store store = Store.open(directory, options)) {
      requireCount(store, store.space("s"), KEYS / 100);
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(full / 4);
    }
  }

  /// Guards against freeing the pages of a dropped space twice: once with it, and once more where a
  /// compaction, which knew the space from before, had meant to move them.
  @Test
  void spaceMayBeDroppedWhileItIsCompacted() {
    SimulatedDisk disk = new SimulatedDisk(6);
    StoreOptions cold = options.cacheBytes(1 << 20);
    try (Store store = SimulatedStore.open(disk, cold)) {
      SplittableRandom random = new SplittableRandom(6);
      putAll(store.space("low"), random); // frees extents below the others when it goes
      store.checkpoint();
      putAll(store.space("first"), random);
      putAll(store.space("second"), random);
      store.checkpoint();
      store.dropSpace("low");
    }
    try (Store store = SimulatedStore.open(disk, cold)) {
      AtomicBoolean dropped = new AtomicBoolean();
      disk.faults(call -> {
        boolean readsPage =
            call.operation() == DiskOperation.READ && call.position() >= FIRST_EXTENT;
        if (readsPage && dropped.compareAndSet(false, true)) {
          // The compaction is at the first space; the second one is the next.
          CompletableFuture.runAsync(() -> store.dropSpace("second")).join();
        }
        return Fault.NONE;
      });
      store.compact();
      disk.faults(FaultPlan.none());
      assertThat(dropped).isTrue();
      for (int i = 0; i < 3; i++) {
        store.checkpoint(); // frees what was freed
      }
      store.verify().requireSound();
      assertThat(store.space("first").count(Range.all())).isEqualTo(KEYS);
    }
  }

  @Test
  void deletedRangesAndDroppedSpacesGiveTheirSpaceBack(@TempDir Path directory) {
    try (Store store = Store.open(directory, options)) {
      SplittableRandom random = new SplittableRandom(5);
      long most = 0;
      for (int round = 0; round < 12; round++) {
        Space space = store.space("round" + round);
        putAll(space, random);
        store.checkpoint();
        if (round % 2 == 0) {
          assertThat(store.dropSpace(space.name())).isTrue();
        } else {
          assertThat(space.deleteRange(Range.all())).isEqualTo(KEYS);
        }
        store.checkpoint();
        if (round == 2) {
          most = store.statistics().disk().pageFileBytes();
        }
        if (round > 2) {
          assertThat(store.statistics().disk().pageFileBytes()).isLessThanOrEqualTo(2 * most);
        }
      }
      store.compact();
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(most / 2);
      store.verify().requireSound();
    }
  }

  /// What a snapshot shows is kept for as long as it is open, and no longer. So that a snapshot
  /// that no caller closes can be found.
  @Test
  void openSnapshotsAreListedWithTheirOrigins(@TempDir Path directory) {
    try (Store store = Store.open(directory, options.snapshotOrigins(true))) {
      Space space = store.space("s");
      try (Snapshot _ = store.snapshot();
          Transaction transaction = store.begin()) {
        transaction.get(space, Bytes.of(1));
        assertThat(store.statistics().snapshots().open())
            .hasSize(2)
            .allSatisfy(open -> {
              assertThat(open.origin()).isNotNull();
              assertThat(open.origin().getClassName()).isEqualTo(SpaceTest.class.getName());
              assertThat(open.origin().getMethodName())
                  .isEqualTo("openSnapshotsAreListedWithTheirOrigins");
              assertThat(open.owner()).contains(Thread.currentThread().getName());
            });
      }
    }
    try (Store store = Store.open(directory, options);
        Snapshot _ = store.snapshot()) {
      assertThat(store.statistics().snapshots().open())
          .singleElement()
          .satisfies(open -> assertThat(open.origin()).isNull());
    }
  }

  @Test
  void snapshotPinsItsSpaceAndGivesItBack(@TempDir Path directory) {
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(6);
      putAll(space, random);
      store.checkpoint();
      Model shown = Model.of(store);
      try (Snapshot snapshot = store.snapshot()) {
        for (int round = 0; round < 10; round++) {
          putAll(space, random);
          store.checkpoint();
        }
        shown.requireEqual(Model.of(store, snapshot), "snapshot after ten rewrites");
        assertThat(store.statistics().snapshots().open()).hasSize(1);
      }
      assertThat(store.statistics().snapshots().open()).isEmpty();
      long live = liveBytes(store);
      for (int i = 0; i < 4; i++) {
        store.checkpoint();
        store.compact();
      }
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(4 * live);
      requireCount(store, space, KEYS);
    }
  }

  private static void putAll(Space space, SplittableRandom random) {
    for (int i = 0; i < KEYS; i++) {
      space.put(Bytes.of(i), value(random));
    }
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private static long liveBytes(Store store) {
    Verification verification = store.verify();
    verification.requireSound();
    return verification.liveBytes();
  }

  private static void requireCount(Store store, Space space, long count) {
    assertThat(space.count(Range.all())).isEqualTo(count);
    store.verify().requireSound();
  }

  /// The counts are of the stream, whatever part of it was read when it ended.
  @Test
  void streamThatEndsEarlyReportsHowMuchItGave() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      for (int length : new int[] {3, 4_000, 1_500_000, 3_000_000}) {
        var stream = new ByteArrayInputStream(new byte[length]);
        assertThatThrownBy(() -> space.put(Bytes.of("k"), stream, length + 1_000_000L))
            .isInstanceOf(UncheckedIOException.class)
            .rootCause()
            .hasMessageContaining("promisedBytes=" + (length + 1_000_000L))
            .hasMessageContaining("readBytes=" + length);
      }
      assertThat(space.get(Bytes.of("k"))).isNull();
    }
  }
}
