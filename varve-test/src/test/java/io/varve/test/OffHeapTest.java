package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Statistics.CacheFigures;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreOptions;
import io.varve.Verification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pages that left the heap come from memory outside of it, rather than from the file.
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OffHeapTest {
  private static final int KEYS = 40_000;
  private static final int VALUE_BYTES = 100;

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private static StoreOptions options(long offHeapBytes) {
    return Stores.tiny()
        .durability(Durability.BACKGROUND)
        .log(log -> log.bytesMax(64 << 20).segmentBytes(4 << 20))
        .cache(cache -> cache.offHeapBytes(offHeapBytes));
  }

  private static byte[] value(int key, int version) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(31L * key + version).nextBytes(value);
    return value;
  }

  private static void load(Space space, int version) {
    for (int key = 0; key < KEYS; key++) {
      space.put(Bytes.of(key), value(key, version));
    }
  }

  private static void requireAll(Space space, int version) {
    try (Cursor cursor = space.cursor(Range.all())) {
      for (int key = 0; key < KEYS; key++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.value()).isEqualTo(value(key, version));
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  private static CacheFigures figures(Store store) {
    return store.statistics().cache();
  }

  /// Many times the heap's budget, all of it in the tier: after one pass no page is read from the
  /// file.
  @Test
  void whatWasReadOnceIsNotReadAgain() {
    try (Store store = SimulatedStore.open(disk, options(0))) {
      load(store.space("s"), 1);
    }
    try (Store store = SimulatedStore.open(disk, options(32 << 20))) {
      Space space = store.space("s");
      requireAll(space, 1);
      CacheFigures once = figures(store);
      assertThat(once.offHeap().images()).isGreaterThan(1000);
      assertThat(once.offHeap().usedBytes()).isBetween(4L << 20, 32L << 20);
      assertThat(once.offHeap().budgetBytes()).isEqualTo(32 << 20);
      requireAll(space, 1);
      CacheFigures twice = figures(store);
      assertThat(twice.loads()).isEqualTo(once.loads());
      assertThat(twice.offHeap().hits() - once.offHeap().hits())
          .isGreaterThanOrEqualTo(twice.misses() - once.misses())
          .isGreaterThan(1000);
      assertThat(twice.offHeap().misses()).isEqualTo(once.offHeap().misses());
      assertThat(twice.offHeap().evictions()).isZero();
    }
    try (Store store = SimulatedStore.open(disk, options(0))) {
      requireAll(store.space("s"), 1);
      assertThat(figures(store).offHeap().hits()).isZero();
      assertThat(figures(store).offHeap().usedBytes()).isZero();
    }
  }

  /// Extents are freed and written again under the tier: what it has of the pages before is never
  /// an answer.
  @Test
  void pagesThatReplaceOthersAreReadAsTheyAre() {
    try (Store store = SimulatedStore.open(disk, options(4 << 20))) {
      Space space = store.space("s");
      for (int version = 0; version < 4; version++) {
        load(space, version);
        store.checkpoint();
        requireAll(space, version);
        if (version % 2 == 1) {
          store.compact();
          requireAll(space, version);
        }
        store.verify().requireSound();
      }
      assertThat(figures(store).offHeap().hits()).isPositive();
      assertThat(figures(store).offHeap().usedBytes()).isLessThanOrEqualTo(4 << 20);
    }
  }

  /// A verification is asked about the file, not about memory.
  @Test
  void verifyReadsTheFile() throws IOException {
    try (Store store = SimulatedStore.open(disk, options(0))) {
      load(store.space("s"), 1);
    }
    try (Store store = SimulatedStore.open(disk, options(32 << 20))) {
      Space space = store.space("s");
      requireAll(space, 1);
      store.verify().requireSound();
      byte[] pages = disk.content("pages");
      for (int at = 1 << 16; at < pages.length; at += 4096) {
        disk.flipBit("pages", at, 1);
      }
      for (int key = 0; key < KEYS; key += 100) {
        assertThat(space.get(Bytes.of(key))).isEqualTo(value(key, 1));
      }
      Verification found = store.verify();
      assertThat(found.problems()).isNotEmpty();
    }
  }

  @Test
  void closedWhileRead() throws Exception {
    Store store = SimulatedStore.open(disk, options(4 << 20));
    Space space = store.space("s");
    load(space, 1);
    store.checkpoint();
    requireAll(space, 1);
    int threads = 3;
    CountDownLatch reading = new CountDownLatch(threads);
    // Virtual threads that never park would leave no carrier to those that have not begun.
    try (var executor = Executors.newCachedThreadPool()) {
      List<Future<Void>> readers = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        Callable<Void> reader =
            () -> {
              for (int read = 0; ; read++) {
                int key = random.nextInt(KEYS);
                assertThat(space.get(Bytes.of(key))).isEqualTo(value(key, 1));
                if (read == 1000) {
                  reading.countDown();
                }
              }
            };
        readers.add(executor.submit(reader));
      }
      reading.await();
      store.close();
      for (Future<Void> reader : readers) {
        assertThatThrownBy(reader::get).hasCauseInstanceOf(StoreClosedException.class);
      }
    }
  }
}
