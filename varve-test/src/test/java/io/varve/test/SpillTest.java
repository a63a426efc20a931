package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.PageRetention;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Data much larger than the cache changes at random: pages are written to leave memory more often
/// than checkpoints are, and what they leave is used again, though never too early.
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpillTest {
  private static final int KEYS = 60_000;
  private static final int VALUE_BYTES = 100;
  private static final long CACHE_BYTES = 1 << 20;

  private static StoreOptions options(SplittableRandom random) {
    List<PageRetention> retentions = PageRetention.builtIn();
    return Stores.tiny()
        .durability(Durability.PROCESS_CRASH)
        .cacheBytes(CACHE_BYTES)
        .log(log -> log.bytesMax(64 << 20).segmentBytes(4 << 20))
        .cache(cache -> cache.retention(retentions.get(random.nextInt(retentions.size()))));
  }

  /// What is noted of each large value that goes is memory as well: deletes of whole leaves make
  /// almost nothing dirty, and it grew until the next checkpoint.
  @Test
  void whatIsNotedOfLargeValuesWaitsForNoCheckpoint() throws InterruptedException {
    int count = 40_000;
    SimulatedDisk disk = new SimulatedDisk(3);
    StoreOptions options = options(new SplittableRandom(3)).checkpointInterval(Duration.ofHours(1));
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      for (int key = 0; key < count; key++) {
        space.with(Durability.BACKGROUND).put(Bytes.of(key), new byte[300]);
      }
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      for (int key = 0; key < count; key += 1000) {
        space
            .with(Durability.BACKGROUND)
            .deleteRange(Range.of(Bytes.of(key), Bytes.of(key + 1000)));
      }
      while (store.statistics().disk().freeBytes() < count / 2 * 512L) {
        Thread.sleep(1);
      }
      assertThat(store.statistics().checkpoints().count()).isZero();
      store.verify().requireSound();
    }
  }

  private static byte[] value(int version) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(version).nextBytes(value);
    return value;
  }

  private static void load(Space space) {
    for (int key = 0; key < KEYS; key++) {
      space.with(Durability.BACKGROUND).put(Bytes.of(key), value(0));
    }
  }

  private static void update(Space space, Map<Integer, Integer> model, SplittableRandom random) {
    int key = random.nextInt(KEYS);
    int version = random.nextInt(1, 1 << 20);
    space.put(Bytes.of(key), value(version));
    model.put(key, version);
  }

  private static void requireEqual(Space space, Map<Integer, Integer> model) {
    try (Cursor cursor = space.cursor(Range.all())) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(Bytes.of(key));
        assertThat(cursor.value()).isEqualTo(value(model.getOrDefault(key, 0)));
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  void pagesLeaveMemoryWithoutACheckpoint() {
    SplittableRandom random = new SplittableRandom(1);
    SimulatedDisk disk = new SimulatedDisk(1);
    Map<Integer, Integer> model = new HashMap<>();
    try (Store store = SimulatedStore.open(disk, options(random))) {
      Space space = store.space("s");
      load(space);
      store.checkpoint();
      Statistics before = store.statistics();
      for (int i = 0; i < 40_000; i++) {
        update(space, model, random);
      }
      Statistics after = store.statistics();
      long halves =
          (after.checkpoints().writtenBytes() - before.checkpoints().writtenBytes())
              / (CACHE_BYTES / 2);
      assertThat(halves).as("half the cache written so often").isGreaterThan(20);
      assertThat(after.checkpoints().count() - before.checkpoints().count()).isLessThan(halves / 2);
      requireEqual(space, model);
      store.checkpoint();
      store.checkpoint();
      long live = store.verify().liveBytes();
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(2 * live + 2 * CACHE_BYTES);
      store.verify().requireSound();
    }
  }

  /// A checkpoint waits for the device to force what it wrote. Commits continue during that however
  /// many pages they change, since their threads write pages themselves.
  @Test
  void memoryIsRelievedWhileACheckpointIsForced() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    Map<Integer, Integer> model = new HashMap<>();
    var forcing = new CountDownLatch(1);
    var forced = new CountDownLatch(1);
    var watching = new AtomicBoolean();
    Disk disk =
        new WatchedDisk(
            new SimulatedDisk(3).asDisk(),
            call -> {
              if (watching.get()
                  && call.operation() == DiskOperation.FORCE
                  && call.name().equals("pages")) {
                forcing.countDown();
                await(forced);
              }
            });
    try (Store store =
        StoreOpener.open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, options(random))) {
      Space space = store.space("s");
      load(space);
      store.checkpoint();
      watching.set(true);
      Thread checkpoint = Thread.ofPlatform().start(store::checkpoint);
      try {
        await(forcing);
        for (int i = 0; i < 5_000; i++) {
          update(space, model, random);
        }
        assertThat(checkpoint.isAlive()).as("the checkpoint is still forced").isTrue();
        assertThat(store.statistics().cache().dirtyBytes()).isLessThanOrEqualTo(CACHE_BYTES);
      } finally {
        forced.countDown();
        checkpoint.join();
      }
      requireEqual(space, model);
      store.verify().requireSound();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Random commits concurrent with a compaction replace much more than it moves, of which nothing
  /// becomes free while it walks: it stops before the file grows.
  @Test
  void compactionDuringRandomCommitsDoesNotMakeTheFileGrow() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    Map<Integer, Integer> model = new HashMap<>();
    try (Store store = SimulatedStore.open(new SimulatedDisk(5), options(random))) {
      Space space = store.space("s");
      load(space);
      store.checkpoint();
      store.checkpoint();
      long before = store.statistics().disk().pageFileBytes();
      var compactions = new AtomicInteger();
      Thread compaction =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 6; i++) {
                  store.compact();
                  compactions.incrementAndGet();
                }
              });
      long longest = 0;
      while (compaction.isAlive()) {
        update(space, model, random);
        longest = Math.max(longest, store.statistics().disk().pageFileBytes());
      }
      assertThat(compactions).hasValue(6);
      assertThat(longest).isLessThan(2 * before + (16 << 20));
      requireEqual(space, model);
      store.verify().requireSound();
    }
  }

  /// A snapshot sees what spills wrote until it is closed. A power cut at any time finds the newest
  /// checkpoint whole, with all commits after it in the log.
  @Test
  void nothingThatIsNeededIsWrittenOver() {
    Seeds.forEach(
        4,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          SimulatedDisk disk = new SimulatedDisk(seed);
          Map<Integer, Integer> model = new HashMap<>();
          Store store = SimulatedStore.open(disk, options(random));
          Space space = store.space("s");
          load(space);
          for (int round = 0; round < 3; round++) {
            Map<Integer, Integer> then = new HashMap<>(model);
            try (Snapshot snapshot = store.snapshot()) {
              for (int i = 0; i < 6_000; i++) {
                update(space, model, random);
              }
              for (int i = 0; i < 500; i++) {
                int key = random.nextInt(KEYS);
                assertThat(snapshot.get(space, Bytes.of(key)))
                    .isEqualTo(value(then.getOrDefault(key, 0)));
              }
            }
          }
          store.awaitDurable(store.lastCommit());
          SimulatedDisk afterwards = disk.powerCut();
          try (Store recovered = SimulatedStore.open(afterwards, options(random))) {
            requireEqual(recovered.space("s"), model);
            recovered.verify().requireSound();
          }
        });
  }
}
