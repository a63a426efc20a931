package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The files of a store that is open are in proportion to its data: log that no checkpoint had
/// released, files of log that waited for their next use, and a reserve of the same size for all.
/// They took two and a half times what the pages took.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProportionTest {
  private static final int VALUE_BYTES = 1000;

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final SimulatedClock clock = new SimulatedClock();

  private final StoreOptions options =
      StoreOptions.defaults()
          .cacheBytes(64 << 20)
          .durability(Durability.BACKGROUND)
          .checkpointInterval(Duration.ofHours(1))
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 20).bytesMax(64 << 20));

  private long logBytes() {
    return disk.usedBytes(name -> name.startsWith("log/"));
  }

  /// Puts values under random keys.
  private static void fill(Space space, int count) {
    var random = new SplittableRandom(7);
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < count; i++) {
      random.nextBytes(value);
      space.put(Bytes.of(random.nextInt()), value);
    }
  }

  @Test
  void aStoreThatNobodyWritesToReturnsItsLog() {
    try (Store store = SimulatedStore.open(disk, clock, options)) {
      Space space = store.space("s");
      fill(space, 20_000);
      long userBytes = space.count(Range.all()) * (VALUE_BYTES + 4);
      assertThat(logBytes()).isGreaterThan(userBytes);
      // The segment in use, and what a slow thread had made ready: 4 MiB at most.
      while (logBytes() > 6 << 20) {
        clock.advance(Duration.ofMinutes(10));
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(disk.usedBytes(_ -> true)).isLessThan(userBytes * 8 / 5);
      store.verify().requireSound();
    }
  }

  /// Each checkpoint of a small store writes little, so that it may come more often.
  @Test
  void theLogOfASmallStoreIsShortWhileItIsWrittenTo() {
    try (Store store = SimulatedStore.open(disk, clock, options)) {
      Space space = store.space("s");
      byte[] value = new byte[VALUE_BYTES];
      for (int i = 0; i < 20_000; i++) {
        space.put(Bytes.of(i % 100), value);
      }
      assertThat(store.statistics().checkpoints().count()).isZero();
      clock.advance(Duration.ofMinutes(11));
      while (store.statistics().checkpoints().count() == 0) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(space.count(Range.all())).isEqualTo(100);
      store.verify().requireSound();
    }
  }

  /// What a delete frees becomes free by the second checkpoint after it. Where there was little
  /// log, one came and no other, and the page file kept its length until the next commits.
  @Test
  void aStoreThatNobodyWritesToReturnsWhatADeleteFreed() {
    try (Store store = SimulatedStore.open(disk, clock, options)) {
      Space space = store.space("s");
      fill(space, 30_000);
      store.compact(); // so that nothing is free yet
      long full = pageBytes();
      assertThat(full).isGreaterThan(30_000 * VALUE_BYTES);
      space.deleteRange(Range.all());
      assertShrinksTo(full / 8);
      store.verify().requireSound();
    }
  }

  /// The tree of a space that was dropped is removed after the commit, at any time.
  @Test
  void aStoreThatNobodyWritesToReturnsWhatADropFreed() {
    try (Store store = SimulatedStore.open(disk, clock, options)) {
      fill(store.space("s"), 30_000);
      store.compact();
      long full = pageBytes();
      store.dropSpace("s");
      assertShrinksTo(full / 8);
      store.verify().requireSound();
    }
  }

  private long pageBytes() {
    return disk.usedBytes(name -> name.equals("pages"));
  }

  /// Lets time pass in which nobody commits.
  private void assertShrinksTo(long bytes) {
    for (int look = 0; look < 500 && pageBytes() > bytes; look++) {
      clock.advance(Duration.ofMinutes(10));
      LockSupport.parkNanos(2_000_000);
    }
    assertThat(pageBytes()).isLessThanOrEqualTo(bytes);
  }

  /// What a snapshot reaches at the end of the page file keeps the file long. A compaction that
  /// could not shorten it was repeated at each look, with its checkpoints, for as long as the
  /// snapshot was open.
  @Test
  void aCompactionThatASnapshotHindersIsNotRepeatedWithoutCommits() {
    try (Store store = SimulatedStore.open(disk, clock, options)) {
      Space space = store.space("s");
      Space last = store.space("last");
      fill(space, 18_500);
      store.checkpoint();
      fill(last, 1_000);
      store.checkpoint();
      space.deleteRange(Range.all());
      store.checkpoint();
      store.checkpoint();
      try (Snapshot snapshot = store.snapshot()) {
        long before = store.statistics().checkpoints().count();
        for (int look = 0; look < 200; look++) {
          clock.advance(Duration.ofMinutes(10));
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(store.statistics().checkpoints().count() - before).isLessThan(40);
        assertThat(snapshot.count(last, Range.all())).isEqualTo(1_000);
      }
      store.verify().requireSound();
    }
  }
}
