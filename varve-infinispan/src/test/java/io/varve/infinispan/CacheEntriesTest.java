package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Cursor;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.commons.util.IntSets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Entries and their index stay together, whatever is done to them.
@Timeout(120)
class CacheEntriesTest {
  private static final List<Range> ALL = List.of(Range.all());
  private static final int SEGMENTS = 8;

  private final Store store = Store.inMemory();
  private final CacheEntries entries = new CacheEntries(store);
  private final Space index = store.space("expiry");

  @AfterEach
  void close() {
    entries.close();
  }

  private static byte[] key(int segment, String key) {
    return EntryKey.of(segment, ByteBufferImpl.create(key.getBytes(StandardCharsets.UTF_8)));
  }

  /// A value as [EntryValue] encodes it, that expires at a time.
  private static byte[] value(String value, long expiry) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    if (expiry == EntryValue.NEVER) {
      byte[] bytes = new byte[1 + text.length];
      System.arraycopy(text, 0, bytes, 1, text.length);
      return bytes;
    }
    byte[] bytes = new byte[25 + text.length];
    bytes[0] = 1;
    BigEndian.LONG.set(bytes, 1, expiry);
    System.arraycopy(text, 0, bytes, 25, text.length);
    return bytes;
  }

  private void put(byte[] key, byte[] value) {
    entries.commit(new Change.Put(key, value)).toCompletableFuture().join();
  }

  private void remove(byte[] key) {
    entries.commit(new Change.Removal(key)).toCompletableFuture().join();
  }

  private List<Entry> purge(long now) {
    List<Entry> removed = new ArrayList<>();
    CacheEntries.Purge purge = entries.purge(now);
    for (List<Entry> some = purge.step(); some != null; some = purge.step()) {
      removed.addAll(some);
    }
    return removed;
  }

  private Set<String> scanned(List<Range> ranges, long now) {
    Set<String> keys = new HashSet<>();
    try (EntryScan scan = entries.scan(ranges, now)) {
      for (Cursor cursor = scan.next(); cursor != null; cursor = scan.next()) {
        keys.add(new String(cursor.key(), StandardCharsets.ISO_8859_1));
      }
    }
    return keys;
  }

  /// Random changes, purges, removals of segments and batches, against a map. The index holds one
  /// key for each entry that expires, and no other.
  @Test
  void entriesAndIndexAreThoseOfAMap() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, Long> model = new TreeMap<>();
    long now = 1000;
    for (int step = 0; step < 3000; step++) {
      int segment = random.nextInt(SEGMENTS);
      byte[] key = key(segment, "k" + random.nextInt(30));
      String name = new String(key, StandardCharsets.ISO_8859_1);
      long expiry = random.nextInt(3) == 0 ? EntryValue.NEVER : now + 1 + random.nextInt(50);
      switch (random.nextInt(20)) {
        case 0 -> {
          now += random.nextInt(20);
          long time = now;
          Set<String> expired = new HashSet<>();
          model.forEach((each, end) -> {
            if (EntryValue.isExpired(end, time)) {
              expired.add(each);
            }
          });
          assertThat(entries.count(ALL, now))
              .as("seed %d", seed)
              .isEqualTo(model.size() - expired.size());
          Set<String> purged = new HashSet<>();
          purge(now)
              .forEach(entry -> purged.add(new String(entry.key(), StandardCharsets.ISO_8859_1)));
          assertThat(purged).as("seed %d", seed).isEqualTo(expired);
          model.keySet().removeAll(expired);
        }
        case 1 -> {
          entries.remove(EntryKey.ranges(IntSets.immutableSet(segment)));
          model.keySet().removeIf(each -> each.charAt(1) == segment);
        }
        case 2, 3, 4 -> {
          remove(key);
          model.remove(name);
        }
        case 5 -> {
          byte[] other = key(segment, "batch");
          entries
              .commit(List.of(new Change.Removal(key), new Change.Put(other, value("v", expiry))))
              .toCompletableFuture()
              .join();
          model.remove(name);
          model.put(new String(other, StandardCharsets.ISO_8859_1), expiry);
        }
        default -> {
          put(key, value("v", expiry));
          model.put(name, expiry);
        }
      }
      long expiring = model.values().stream().filter(end -> end > 0).count();
      assertThat(index.count(Range.all())).as("seed %d, step %d", seed, step).isEqualTo(expiring);
      assertThat(entries.count(ALL)).as("seed %d, step %d", seed, step).isEqualTo(model.size());
    }
    long time = now;
    model.values().removeIf(end -> EntryValue.isExpired(end, time));
    assertThat(scanned(ALL, now)).as("seed %d", seed).isEqualTo(model.keySet());
  }

  /// Writers of the same keys at the same time leave no entry that expires without a key of the
  /// index (E1). What they leave goes with a purge (E2).
  @Test
  void writersOfTheSameKeysLoseNoExpiry() throws Exception {
    byte[] key = key(1, "k");
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int seed = thread;
        writers.add(
            threads.submit(() -> {
              Random random = new Random(seed);
              for (int i = 0; i < 500; i++) {
                switch (random.nextInt(4)) {
                  case 0 -> remove(key);
                  case 1 -> put(key, value("v", EntryValue.NEVER));
                  case 2 -> purge(40);
                  default -> put(key, value("v", 1 + random.nextInt(100)));
                }
              }
            }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
    put(key, value("v", 77));
    assertThat(index.contains(ExpiryKey.of(77, key))).isTrue();
    assertThat(purge(200)).hasSize(1);
    assertThat(index.count(Range.all())).isZero();
    assertThat(entries.count(ALL)).isZero();
  }

  @Test
  void aPurgeLeavesWhatWasPutAgain() {
    byte[] key = key(1, "k");
    put(key, value("old", 10));
    CacheEntries.Purge purge = entries.purge(20);
    put(key, value("new", 30));
    index.put(ExpiryKey.of(10, key), new byte[0]); // stale, as writers of one key can leave it (E2)
    assertThat(purge.step()).isEmpty();
    assertThat(purge.step()).isNull();
    assertThat(entries.contains(key, 20)).isTrue();
    assertThat(entries.contains(key, 30)).isFalse();
    assertThat(index.count(Range.all())).isOne();
  }

  /// More than one commit removes, purges or moves.
  @Test
  void largeCachesAreChangedPartByPart() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      changes.add(
          new Change.Put(key(i % SEGMENTS, "k" + i), value("v", i % 2 == 0 ? 10 : 1_000_000)));
    }
    entries.commit(changes).toCompletableFuture().join();
    assertThat(entries.count(ALL)).isEqualTo(10_000);
    assertThat(entries.count(ALL, 10)).isEqualTo(5_000);
    assertThat(purge(10)).hasSize(5_000);
    entries.remove(EntryKey.ranges(IntSets.immutableSet(1)));
    assertThat(entries.count(ALL)).isEqualTo(3_750);
    entries.remove(ALL);
    assertThat(entries.count(ALL)).isZero();
    assertThat(index.count(Range.all())).isZero();
  }

  @Test
  void anotherNumberOfSegmentsMovesEntries() {
    entries.spread(SEGMENTS, EntryKey::segment, _ -> {});
    Map<Integer, Integer> wanted = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      put(key(i % SEGMENTS, "k" + i), value("v", i % 3 == 0 ? 50 : EntryValue.NEVER));
      wanted.merge(i % 3, 1, Integer::sum);
    }
    var read = new LongAdder();
    entries.spread(3, key -> number(key) % 3, read::add);
    assertThat(read.sum()).isGreaterThanOrEqualTo(10_000);
    for (int segment = 0; segment < 3; segment++) {
      assertThat(entries.count(EntryKey.ranges(IntSets.immutableSet(segment))))
          .isEqualTo((long) wanted.get(segment));
    }
    assertThat(entries.count(ALL)).isEqualTo(10_000);
    assertThat(index.count(Range.all())).isEqualTo(3_334);
    assertThat(purge(50)).hasSize(3_334);
    entries.spread(
        3,
        _ -> {
          throw new AssertionError("the segments are as they were");
        },
        _ -> {});
  }

  /// The fault: moved entries would be missing if the layout still said the old number.
  @Test
  void aMoveThatBreaksOffCanBeTakenBack() {
    entries.spread(SEGMENTS, EntryKey::segment, _ -> {});
    for (int i = 0; i < 10_000; i++) {
      put(key(i % SEGMENTS, "k" + i), value("v", EntryValue.NEVER));
    }
    AtomicInteger moved = new AtomicInteger();
    assertThatThrownBy(() ->
            entries.spread(
                3,
                key -> {
                  if (moved.incrementAndGet() > 6000) {
                    throw new IllegalStateException("on purpose");
                  }
                  return number(key) % 3;
                },
                _ -> {}))
        .hasMessage("on purpose");
    entries.spread(SEGMENTS, key -> number(key) % SEGMENTS, _ -> {});
    for (int i = 0; i < 10_000; i++) {
      assertThat(entries.contains(key(i % SEGMENTS, "k" + i), 0)).isTrue();
    }
    assertThat(entries.count(ALL)).isEqualTo(10_000);
  }

  private static int number(byte[] key) {
    return Integer.parseInt(new String(key, 3, key.length - 3, StandardCharsets.UTF_8));
  }

  @Test
  void aScanHoldsItsSnapshotUntilItsClose() {
    put(key(1, "k"), value("v", EntryValue.NEVER));
    EntryScan scan = entries.scan(ALL, 0);
    scan.next();
    assertThat(store.statistics().snapshots().open()).hasSize(1);
    scan.close();
    assertThat(store.statistics().snapshots().open()).isEmpty();
  }
}
