package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Compaction with all that may run concurrently.
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactionTest {
  private final StoreOptions options =
      StoreOptions.defaults()
          .durability(Durability.BACKGROUND)
          .checkpointInterval(Duration.ofHours(1));

  private static void putAll(Space space, int count, byte[] value) {
    for (int i = 0; i < count; i++) {
      space.put(Bytes.of(i), value);
    }
  }

  /// A drop frees the pages that a compaction is about to move: only once.
  @Test
  void dropOfASpaceThatIsBeingMoved(@TempDir Path directory) throws Exception {
    byte[] value = new byte[1000];
    SplittableRandom random = new SplittableRandom(5);
    try (Store store = Store.open(directory, options)) {
      Space kept = store.space("kept");
      for (int round = 0; round < 6; round++) {
        Space lower = store.space("lower");
        Space upper = store.space("upper");
        putAll(lower, 4000, value);
        store.checkpoint();
        putAll(upper, 4000, value);
        store.checkpoint();
        store.dropSpace("lower");
        store.checkpoint();
        store.checkpoint();
        Threads threads = new Threads();
        threads.start(store::compact);
        Thread.sleep(random.nextInt(15));
        store.dropSpace("upper");
        threads.join();
        for (int i = 0; i < 10; i++) {
          for (int j = 0; j < 300; j++) {
            kept.put(Bytes.of(random.nextInt(4000)), value);
          }
          store.checkpoint();
        }
        store.verify().requireSound();
      }
    }
  }

  /// What moves is many times the budget for pages.
  @Test
  void whatMovesStaysWithinTheBudgetOfDirtyPages(@TempDir Path directory) throws Exception {
    byte[] value = new byte[1000];
    long cacheBytes = 4 << 20;
    try (Store store = Store.open(directory, options.cacheBytes(cacheBytes))) {
      Space lower = store.space("lower");
      Space upper = store.space("upper");
      putAll(lower, 40_000, value);
      store.checkpoint();
      putAll(upper, 30_000, value);
      store.checkpoint();
      store.dropSpace("lower");
      store.checkpoint();
      store.checkpoint();
      AtomicBoolean done = new AtomicBoolean();
      AtomicLong most = new AtomicLong();
      Threads threads = new Threads();
      threads.start(() -> {
        while (!done.get()) {
          most.accumulateAndGet(store.statistics().cache().dirtyBytes(), Math::max);
          Thread.onSpinWait();
        }
      });
      assertThat(store.compact()).isPositive();
      done.set(true);
      threads.join();
      assertThat(most.get()).isPositive().isLessThan(cacheBytes);
      store.verify().requireSound();
    }
  }

  /// Moving values that the log holds whole needs more log than there may be: it takes checkpoints
  /// in between, which the thread that moves has to write itself.
  @Test
  void whatMovesNeedsMoreLogThanTheCap(@TempDir Path directory) {
    byte[] value = new byte[100_000];
    StoreOptions small =
        options
            .log(log -> log.bytesMax(4 << 20).bufferBytes(1 << 20).segmentBytes(1 << 20))
            .checkpointInterval(Duration.ofMillis(50));
    try (Store store = Store.open(directory, small)) {
      Space space = store.space("s");
      putAll(space, 600, value);
      store.checkpoint();
      store.checkpoint();
      long before = store.statistics().disk().pageFileBytes();
      for (int i = 0; i < 450; i++) {
        space.delete(Bytes.of(i));
      }
      // Compacted in the background by now, concurrently with these.
      for (int i = 0; i < 200; i++) {
        space.put(Bytes.of(1000 + i % 50), value);
      }
      // One leaves what the other, in the background, is at.
      for (int i = 0; i < 10 && store.statistics().disk().pageFileBytes() >= before; i++) {
        store.compact();
      }
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(before);
      assertThat(space.count(Range.all())).isEqualTo(200);
      store.verify().requireSound();
    }
  }

  /// Each page of a space that a transaction had reserved was tried six times, with a checkpoint
  /// between, for as long as the transaction ran.
  @Test
  void aSpaceThatATransactionHasReservedIsLeft(@TempDir Path directory) throws Exception {
    try (Store store = Store.open(directory, options)) {
      Space lower = store.space("lower");
      Space reserved = store.space("reserved");
      putAll(lower, 2000, new byte[1000]);
      store.checkpoint();
      putAll(reserved, 2000, new byte[1000]);
      store.checkpoint();
      store.dropSpace("lower");
      AtomicLong runs = new AtomicLong();
      CountDownLatch runsAlone = new CountDownLatch(1);
      CountDownLatch compacted = new CountDownLatch(1);
      Threads threads = new Threads();
      threads.start(() ->
          store.transact(tx -> {
            tx.get(reserved, Bytes.of(1));
            tx.put(reserved, Bytes.of("written"), new byte[1]);
            if (runs.getAndIncrement() < 8) {
              CompletableFuture.runAsync(() -> reserved.put(Bytes.of(1), Bytes.of(runs.get())))
                  .join();
            } else {
              runsAlone.countDown();
              await(compacted);
            }
          }));
      runsAlone.await();
      long before = store.statistics().checkpoints().count();
      store.compact();
      long checkpoints = store.statistics().checkpoints().count() - before;
      compacted.countDown();
      threads.join();
      assertThat(checkpoints).isLessThan(20);
      store.verify().requireSound();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// A cursor that does not move while the pages it came by are evicted, loaded again, replaced,
  /// and their extents used again.
  @Test
  void aCursorThatStoodStillContinues(@TempDir Path directory) {
    int keys = 60_000;
    byte[] value = new byte[100];
    SplittableRandom random = new SplittableRandom(3);
    try (Store store = Store.open(directory, options.cacheBytes(1 << 20).pageBytes(1024))) {
      Space space = store.space("s");
      putAll(space, keys, value);
      store.checkpoint();
      for (int round = 0; round < 3; round++) {
        List<Cursor> cursors = new ArrayList<>();
        int[] starts = new int[40];
        for (int i = 0; i < starts.length; i++) {
          starts[i] = random.nextInt(keys - 100);
          Cursor cursor = space.cursor(Range.atLeast(Bytes.of(starts[i])));
          assertThat(cursor.next()).isTrue();
          cursors.add(cursor);
        }
        for (int i = 0; i < 3; i++) {
          assertThat(count(space)).isEqualTo(keys);
          for (int start : starts) {
            for (int j = 0; j < 60; j += 5) {
              space.put(Bytes.of(start + j), value);
            }
          }
          store.checkpoint();
        }
        for (int i = 0; i < 2000; i++) {
          space.put(Bytes.of(random.nextInt(keys)), value);
          if (i % 500 == 0) {
            store.checkpoint();
          }
        }
        for (int i = 0; i < starts.length; i++) {
          for (int j = 1; j < 60; j++) {
            assertThat(cursors.get(i).next()).isTrue();
            assertThat(cursors.get(i).key()).isEqualTo(Bytes.of(starts[i] + j));
          }
          cursors.get(i).close();
        }
      }
      store.verify().requireSound();
    }
  }

  private static int count(Space space) {
    int count = 0;
    try (Cursor cursor = space.cursor(Range.all())) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
