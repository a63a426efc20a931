package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a whole store does. The time limits find a standstill; they measure nothing.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class StoreTest {
  @TempDir private Path directory;

  private static byte[] key(int number) {
    return "%08d".formatted(number).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] keyOfLength(int length, int last) {
    byte[] key = new byte[length];
    key[length - 1] = (byte) last;
    return key;
  }

  /// Sixteen threads on one key conflict again and again, and each ends by running alone.
  @Test
  void transactionsThatKeepConflictingAllEnd() throws InterruptedException {
    int threadCount = 16;
    int increments = 100;
    try (Store store = Store.inMemory()) {
      OrderedMap<String, Long> counters = store.map("counters", Codec.string(), Codec.int64());
      counters.put("all", 0L);
      Space space = store.space("counters");
      byte[] counter = Codec.string().encode("all");
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < threadCount; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int n = 0; n < increments; n++) {
                    store.transact(transaction -> {
                      long before = Codec.int64().decode(transaction.get(space, counter));
                      transaction.put(space, counter, Codec.int64().encode(before + 1));
                    });
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(counters.get("all")).isEqualTo((long) threadCount * increments);
    }
  }

  /// A queue shrinks and refills the leaf at its end again and again, always by appends: a use that
  /// keys at random never have.
  @Test
  void aQueueHoldsWhatATreeMapHolds() {
    SplittableRandom random = new SplittableRandom(11);
    try (Store store = Store.inMemory(StoreOptions.defaults().pageBytes(1024))) {
      for (int run = 0; run < 40; run++) {
        Space queue = store.space("q" + run);
        NavigableSet<Integer> model = new TreeSet<>();
        int next = 0;
        for (int round = 0; round < 60; round++) {
          for (int i = random.nextInt(40); i > 0; i--) {
            queue.put(key(next), new byte[random.nextInt(4)]);
            model.add(next++);
          }
          for (int i = random.nextInt(45); i > 0 && !model.isEmpty(); i--) {
            int taken = random.nextInt(4) == 0 ? model.last() : model.first();
            queue.delete(key(taken));
            model.remove(taken);
          }
          for (int number : model) {
            assertThat(queue.get(key(number))).as("%s in run %s", number, run).isNotNull();
          }
          assertThat(queue.count(Range.all())).isEqualTo(model.size());
        }
      }
    }
  }

  /// A commit whose pages do not fit the cache together must not wait for itself.
  @Test
  void commitsTouchMorePagesThanTheCacheHolds() {
    StoreOptions options = StoreOptions.defaults().cacheBytes(1 << 20);
    int count = 60_000;
    byte[] value = new byte[100];
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      for (int from = 0; from < count; from += 1000) {
        int first = from;
        store.transact(
            Durability.BACKGROUND,
            transaction -> {
              for (int i = first; i < first + 1000; i++) {
                transaction.put(space, key(i), value);
              }
            });
      }
      store.checkpoint();
      byte[] changed = {1};
      store.transact(transaction -> {
        for (int i = 0; i < count; i += 40) {
          transaction.put(space, key(i), changed);
        }
      });
      assertThat(space.get(key(40 * 700))).isEqualTo(changed);
      assertThat(space.get(key(41))).isEqualTo(value);
      store.verify().requireSound();
    }
  }

  /// A verification holds locks of its store while it reports progress; those of another store come
  /// neither before nor after them (ORDER-3).
  @Test
  void anotherStoreCanBeUsedByAListenerOfAVerification(@TempDir Path directory) {
    try (Store store = Store.open(directory.resolve("one"))) {
      store.space("s").put(key(1), new byte[] {1});
      var kept = new AtomicBoolean();
      Verification found =
          store.verify((_, _) -> {
            try (Store other = Store.open(directory.resolve("other"))) {
              other.space("s").put(key(2), new byte[] {2});
              other.verify().requireSound();
            }
            kept.set(true);
          });
      found.requireSound();
      assertThat(kept).isTrue();
    }
  }

  @Test
  void memoryOfReplacedLargeValuesIsUsedAgain() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      byte[] value = new byte[4 << 20];
      for (int i = 0; i < 100; i++) {
        value[i] = (byte) i;
        space.put(key(0), value);
      }
      assertThat(space.get(key(0))).isEqualTo(value);
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(20L * value.length);
    }
  }

  /// Deleting a half of many keys leaves empty and small leaves, which must move as well.
  @Test
  void compactionFreesWhatDeletesLeft() {
    int count = 100_000;
    byte[] value = new byte[64];
    try (Store store = Store.open(directory)) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(1);
      for (int from = 0; from < count; from += 500) {
        int first = from;
        store.transact(
            Durability.BACKGROUND,
            transaction -> {
              for (int i = first; i < first + 500; i++) {
                transaction.put(space, key(i), value);
              }
              transaction.put(space, key(random.nextInt(first + 1)), value);
            });
      }
      store.checkpoint();
      space.deleteRange(Range.lessThan(key(count / 2)));
    }
    try (Store store = Store.open(directory)) {
      store.compact();
      Verification sound = store.verify();
      sound.requireSound();
      assertThat(sound.entries()).isEqualTo(count / 2);
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(sound.liveBytes() * 5 / 4);
    }
  }

  /// The step from one entry to the next seeks a key one byte longer than the longest.
  @Test
  void cursorsOfTransactionsStepOverTheLongestKeys() {
    byte[] first = keyOfLength(Space.KEY_BYTES_MAX, 1);
    byte[] second = keyOfLength(Space.KEY_BYTES_MAX, 2);
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(first, key(1));
      space.put(second, key(2));
      try (Transaction transaction = store.begin()) {
        transaction.put(space, key(3), key(3));
        try (Cursor cursor = transaction.cursor(space, Range.all())) {
          List<byte[]> keys = new ArrayList<>();
          while (cursor.next()) {
            keys.add(cursor.key());
          }
          assertThat(keys).containsExactly(first, second, key(3));
          assertThat(cursor.last()).isTrue();
          assertThat(cursor.previous()).isTrue();
          assertThat(cursor.previous()).isTrue();
          assertThat(cursor.key()).isEqualTo(first);
        }
      }
    }
  }

  @Test
  void closedCursorsOfTransactionsShowNothing() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      try (Transaction transaction = store.begin()) {
        transaction.put(space, key(1), key(1));
        Cursor cursor = transaction.cursor(space, Range.all());
        assertThat(cursor.next()).isTrue();
        cursor.close();
        assertThatThrownBy(cursor::key).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(cursor::value).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(cursor::valueLength).isInstanceOf(StoreClosedException.class);
      }
    }
  }

  /// A snapshot taken in the epoch of a change of the root keeps the root before it, whatever other
  /// snapshots end.
  @Test
  void snapshotsKeepTheirRootsWhileOthersEnd() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      List<Snapshot> snapshots = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        space.put(key(i), new byte[1000]);
        snapshots.add(store.snapshot());
      }
      for (int i = 1; i < 40; i += 2) {
        snapshots.get(i).close();
        space.put(key(1000 + i), new byte[1000]);
      }
      for (int i = 0; i < 40; i += 2) {
        try (Snapshot snapshot = snapshots.get(i)) {
          assertThat(snapshot.count(space, Range.all())).isEqualTo(i + 1);
        }
      }
    }
  }

  /// What was counted once is kept where nothing changes, and must not be where something does. So
  /// many entries that there are inner pages below the root.
  @Test
  void countsAreThoseOfATreeSetWhateverWasCountedBefore() throws Exception {
    int keys = 30_000;
    SplittableRandom random = new SplittableRandom(5);
    StoreOptions options =
        StoreOptions.defaults()
            .pageBytes(1024)
            .cacheBytes(1 << 20)
            .durability(Durability.BACKGROUND);
    List<Snapshot> snapshots = new ArrayList<>();
    List<NavigableSet<Integer>> models = new ArrayList<>();
    NavigableSet<Integer> model = new TreeSet<>();
    AtomicBoolean ended = new AtomicBoolean();
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      for (int i = 0; i < keys; i += 2) {
        space.put(key(i), new byte[50]);
        model.add(i);
      }
      assertThat(space.statistics().depth()).isGreaterThan(2);
      CompletableFuture<Void> counting =
          CompletableFuture.runAsync(() -> countDuringWrites(store, space, keys, ended));
      for (int round = 0; round < 40; round++) {
        for (int i = random.nextInt(200); i > 0; i--) {
          int changed = random.nextInt(keys);
          if (random.nextInt(3) == 0) {
            space.delete(key(changed));
            model.remove(changed);
          } else {
            space.put(key(changed), new byte[random.nextInt(100)]);
            model.add(changed);
          }
          if (random.nextInt(40) == 0) {
            assertThat(space.statistics().entries()).isEqualTo(model.size());
          }
        }
        if (random.nextInt(8) == 0) {
          store.checkpoint();
        }
        snapshots.add(store.snapshot());
        models.add(new TreeSet<>(model));
        if (snapshots.size() > 4) {
          int closed = random.nextInt(4);
          snapshots.remove(closed).close();
          models.remove(closed);
        }
        for (int i = 0; i < snapshots.size(); i++) {
          int from = random.nextInt(keys);
          int to = from + random.nextInt(keys);
          assertThat(snapshots.get(i).count(space, Range.all())).isEqualTo(models.get(i).size());
          assertThat(snapshots.get(i).count(space, Range.of(key(from), key(to))))
              .isEqualTo(models.get(i).subSet(from, to).size());
        }
      }
      ended.set(true);
      counting.get(60, TimeUnit.SECONDS);
      store.verify().requireSound();
      snapshots.forEach(Snapshot::close);
    }
  }

  /// The whole is counted as its parts are.
  private static void countDuringWrites(Store store, Space space, int keys, AtomicBoolean ended) {
    for (int round = 0; !ended.get(); round++) {
      byte[] middle = key(round % keys);
      try (Snapshot snapshot = store.snapshot()) {
        long below = snapshot.count(space, Range.lessThan(middle));
        long above = snapshot.count(space, Range.atLeast(middle));
        assertThat(snapshot.count(space, Range.all())).isEqualTo(below + above);
      }
    }
  }

  @Test
  void directoryWithoutStoreStaysAsItIsUnlessOneIsToBeMade() throws Exception {
    StoreOptions options = StoreOptions.defaults().createIfMissing(false);
    assertThatThrownBy(() -> Store.open(directory, options))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining(directory.toRealPath().toString())
        .hasMessageContaining("createIfMissing");
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void namesThatAreNoTextAreRefused() {
    try (Store store = Store.inMemory()) {
      assertThatThrownBy(() -> store.space("half\ud800"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("surrogate");
    }
  }

  @Test
  void statisticsTellOfNoRecoveryAfterACleanClose() {
    try (Store store = Store.open(directory)) {
      store.space("s").put(key(1), key(1));
    }
    try (Store store = Store.open(directory)) {
      assertThat(store.statistics().recovery().durationNanos()).isZero();
      assertThat(store.statistics().recovery().replayedCommits()).isZero();
    }
  }

  /// Guards against an inner page of long separators that is written compressed and refused when it
  /// is read.
  @Test
  void innerPagesOfLongSeparatorsCompressAndComeBack() {
    StoreOptions options = StoreOptions.defaults().compression("deflate");
    byte[] value = new byte[1900];
    new SplittableRandom(1).nextBytes(value);
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      store.transact(transaction -> {
        for (int i = 0; i < 700; i++) {
          transaction.put(space, key(i), value);
        }
      });
      store.transact(transaction -> {
        for (int i = 0; i < 30; i++) {
          byte[] longKey = new byte[Space.KEY_BYTES_MAX];
          byte[] start = key(100);
          System.arraycopy(start, 0, longKey, 0, start.length);
          longKey[longKey.length - 1] = (byte) i;
          transaction.put(space, longKey, value);
        }
      });
    }
    try (Store store = Store.open(directory, options)) {
      int found = 0;
      for (Entry _ : store.space("s").scan(Range.all())) {
        found++;
      }
      assertThat(found).isEqualTo(730);
      store.verify().requireSound();
    }
  }
}
