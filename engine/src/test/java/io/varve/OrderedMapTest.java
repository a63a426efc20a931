package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Guava's suite of navigable maps leaves open: values that are equal but not by bytes,
/// changes that come between, splits, and bounds next to bounds.
class OrderedMapTest {
  /// Equal whatever its case, but encoded as it is.
  record Word(String text) implements Serializable {
    @Override
    public boolean equals(Object other) {
      return other instanceof Word that && text.equalsIgnoreCase(that.text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }
  }

  private final Store store = Store.inMemory();
  private final OrderedMap<Integer, String> map = store.map("map", Codec.int32(), Codec.string());

  @AfterEach
  void storeIsSound() {
    store.verify().requireSound();
    store.close();
  }

  private OrderedMap<Integer, String> filled(int count) {
    for (int key = 0; key < count; key++) {
      map.put(key, "v" + key);
    }
    return map;
  }

  // Values

  @Test
  void valuesThatAreEqualByBytesAloneAreTheSame() {
    OrderedMap<Integer, byte[]> arrays = store.map("other", Codec.int32(), Codec.bytes());
    arrays.put(1, new byte[] {7});
    assertThat(arrays.containsValue(new byte[] {7})).isTrue();
    assertThat(arrays.entrySet().contains(Map.entry(1, new byte[] {7}))).isTrue();
    assertThat(arrays.replace(1, new byte[] {7}, new byte[] {8})).isTrue();
    assertThat(arrays.remove(1, new byte[] {7})).isFalse();
    assertThat(arrays.remove(1, new byte[] {8})).isTrue();
  }

  @Test
  void valuesThatAreEqualByEqualsAloneAreTheSame() {
    OrderedMap<Integer, Word> words = store.map("other", Codec.int32(), Codec.of(Word.class));
    words.put(1, new Word("a"));
    assertThat(words.containsValue(new Word("A"))).isTrue();
    assertThat(words.entrySet().contains(Map.entry(1, new Word("A")))).isTrue();
    assertThat(words.replace(1, new Word("A"), new Word("b"))).isTrue();
    assertThat(words.remove(1, new Word("a"))).isFalse();
    assertThat(words.remove(1, new Word("B"))).isTrue();
  }

  /// A compute that compared decoded values would never end on values that equal nothing.
  @Test
  void computeEndsOnValuesThatEqualNothing() {
    Codec<Object[]> codec =
        Codec.of(value -> new byte[(int) value[0]], b -> new Object[] {b.length});
    OrderedMap<Integer, Object[]> arrays = store.map("other", Codec.int32(), codec);
    arrays.put(1, new Object[] {3});
    arrays.compute(1, (_, old) -> new Object[] {(int) old[0] + 1});
    arrays.merge(1, new Object[] {2}, (old, more) -> new Object[] {(int) old[0] + (int) more[0]});
    arrays.replaceAll((_, old) -> new Object[] {(int) old[0] + 1});
    assertThat(arrays.get(1)).containsExactly(7);
  }

  @Test
  void laterChangeOfAnArrayIsNotStored() {
    OrderedMap<byte[], byte[]> arrays = store.map("other", Codec.bytes(), Codec.bytes());
    byte[] value = {1};
    arrays.put(new byte[] {0}, value);
    value[0] = 2;
    assertThat(arrays.get(new byte[] {0})).containsExactly(1);
    assertThat(arrays.firstKey()).containsExactly(0);
    assertThat(arrays.ceilingKey(new byte[] {0})).containsExactly(0);
  }

  // Changes that come between

  /// Another change between the read and the write of a compute: it must be seen, not overwritten.
  @Test
  void computeRunsAgainWhenAnotherChangeComesBetween() {
    map.put(1, "a");
    List<String> seen = new ArrayList<>();
    map.compute(
        1,
        (_, old) -> {
          seen.add(old);
          if (seen.size() == 1) {
            map.put(1, "b");
          }
          return old + "!";
        });
    assertThat(seen).containsExactly("a", "b");
    assertThat(map.get(1)).isEqualTo("b!");
  }

  @Test
  void mergeOfAKeyThatAppearsConcurrentlyMergesWithIt() {
    map.put(1, "a");
    String merged =
        map.merge(
            1,
            "z",
            (old, added) -> {
              if (old.equals("a")) {
                map.remove(1);
                map.put(1, "b");
              }
              return old + added;
            });
    assertThat(merged).isEqualTo("bz");
  }

  @Test
  void removeIfLeavesWhatChangedAfterTheTest() {
    filled(3);
    boolean removed =
        map.entrySet()
            .removeIf(entry -> {
              map.replace(1, "v1", entry.getKey() == 1 ? "new" : "v1");
              return true;
            });
    assertThat(removed).isTrue();
    assertThat(map).containsExactly(Map.entry(1, "new"));
  }

  @Test
  void removeIfOfValuesRemovesThoseOfTheViewAlone() {
    filled(6);
    assertThat(map.subMap(1, 5).values().removeIf(value -> !value.equals("v2"))).isTrue();
    assertThat(map.keySet()).containsExactly(0, 2, 5);
    assertThat(map.values().removeIf(_ -> false)).isFalse();
  }

  /// `hasNext` has promised an entry that is then removed: `next` gives it all the same.
  @Test
  void iteratorGivesWhatItPromised() {
    filled(1);
    Iterator<Map.Entry<Integer, String>> entries = map.entrySet().iterator();
    assertThat(entries.hasNext()).isTrue();
    map.clear();
    assertThat(entries.next()).isEqualTo(Map.entry(0, "v0"));
    assertThat(entries.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(entries::next);
  }

  /// `remove` after a `hasNext` that has moved on removes what `next` gave.
  @Test
  void iteratorRemovesWhatItGaveLast() {
    filled(3);
    Iterator<Integer> keys = map.descendingKeySet().iterator();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
    assertThat(keys.next()).isEqualTo(2);
    assertThat(keys.hasNext()).isTrue();
    keys.remove();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
    assertThat(keys.next()).isEqualTo(1);
    assertThat(map.keySet()).containsExactly(0, 1);
  }

  /// A store that counted its cursors would run out, or not close.
  @Test
  void iteratorsMayBeDropped() {
    filled(1_000);
    for (int round = 0; round < 10_000; round++) {
      assertThat(map.tailMap(round % 1_000).keySet().iterator().next()).isEqualTo(round % 1_000);
    }
  }

  // Bounds

  @Test
  void boundsMayMeetTheBoundsOfTheirView() {
    OrderedMap<Integer, String> view = filled(10).subMap(2, false, 6, false);
    assertThat(view.subMap(2, false, 6, false).keySet()).containsExactly(3, 4, 5);
    assertThat(view.tailMap(6, false)).isEmpty();
    assertThat(view.headMap(2, false)).isEmpty();
    assertThat(view.subMap(2, false, 2, false)).isEmpty();
    assertThat(view.headMap(2, true)).isEmpty();
    assertThat(view.tailMap(6, true)).isEmpty();
    assertThat(view.headMap(2, false).headMap(2, false)).isEmpty();
    assertThat(view.descendingMap().subMap(6, false, 2, false).keySet()).containsExactly(5, 4, 3);
    assertThat(map.subMap(4, true, 4, false)).isEmpty();
    assertThat(map.subMap(4, true, 4, true).keySet()).containsExactly(4);
  }

  @Test
  void boundsOutsideOfTheirViewAreRefused() {
    OrderedMap<Integer, String> view = filled(10).subMap(2, false, 6, false);
    assertThatIllegalArgumentException().isThrownBy(() -> view.tailMap(2, true));
    assertThatIllegalArgumentException().isThrownBy(() -> view.headMap(6, true));
    assertThatIllegalArgumentException().isThrownBy(() -> view.headMap(1, false));
    assertThatIllegalArgumentException().isThrownBy(() -> view.tailMap(7, false));
    assertThatIllegalArgumentException().isThrownBy(() -> view.subMap(5, 4));
    assertThatIllegalArgumentException().isThrownBy(() -> view.descendingMap().subMap(4, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> view.keySet().headSet(9));
  }

  @Test
  void keysOutsideOfAViewAreAbsentAndCannotBeWritten() {
    OrderedMap<Integer, String> view = filled(10).subMap(2, true, 6, false);
    assertThat(view.get(6)).isNull();
    assertThat(view.containsKey(1)).isFalse();
    assertThat(view.remove(6)).isNull();
    assertThat(view.remove(6, "v6")).isFalse();
    assertThat(view.computeIfPresent(6, (_, _) -> "x")).isNull();
    assertThat(view.entrySet().contains(Map.entry(6, "v6"))).isFalse();
    assertThat(view.floorKey(100)).isEqualTo(5);
    assertThat(view.higherKey(-5)).isEqualTo(2);
    assertThat(view.lowerKey(2)).isNull();
    BiFunction<Object, Object, String> toX = (_, _) -> "x";
    assertThatIllegalArgumentException().isThrownBy(() -> view.put(6, "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> view.putIfAbsent(6, "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> view.replace(6, "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> view.replace(6, "v6", "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> view.compute(6, toX));
    assertThatIllegalArgumentException().isThrownBy(() -> view.merge(6, "x", toX));
    assertThatIllegalArgumentException().isThrownBy(() -> view.computeIfAbsent(-1, _ -> "x"));
    assertThat(map).hasSize(10).containsEntry(6, "v6");
  }

  /// All or nothing, and so nothing if one key is out of bounds or one value is null.
  @Test
  void putAllIsAllOrNothing() {
    OrderedMap<Integer, String> view = map.headMap(5);
    var tooMuch = new TreeMap<>(Map.of(1, "a", 2, "b", 6, "c"));
    assertThatIllegalArgumentException().isThrownBy(() -> view.putAll(tooMuch));
    tooMuch.put(6, null);
    assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> map.putAll(tooMuch));
    assertThat(map).isEmpty();
    view.putAll(Map.of(1, "a", 2, "b"));
    map.putAll(Map.of());
    assertThat(map).isEqualTo(Map.of(1, "a", 2, "b"));
  }

  @Test
  void clearOfAViewLeavesTheRest() {
    filled(10).subMap(3, 7).descendingMap().clear();
    assertThat(map.keySet()).containsExactly(0, 1, 2, 7, 8, 9);
  }

  // Order

  @Test
  void comparatorGivesTheOrder() {
    assertThat(map.comparator()).isNull();
    assertThat(map.descendingMap().descendingMap().comparator()).isNull();
    Comparator<? super Integer> descending = map.descendingMap().comparator();
    assertThat(descending.compare(1, 2)).isPositive();
    OrderedMap<String, String> strings = store.map("other", Codec.string(), Codec.string());
    assertThat(strings.comparator().compare("\uffff", "\ud83d\ude00")).isNegative();
    assertThat(strings.descendingMap().comparator().compare("\uffff", "\ud83d\ude00")).isPositive();
  }

  @Test
  void keyOfAnotherTypeIsRefused() {
    Map<?, ?> untyped = filled(1);
    assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> untyped.get("0"));
    assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> untyped.containsValue(0));
    assertThat(map.equals(Map.of("0", "v0"))).isFalse();
    assertThat(map.keySet().equals(Set.of("0"))).isFalse();
    assertThat(map.entrySet().equals(Set.of(Map.entry(0, 0)))).isFalse();
  }

  // Splits

  @Test
  void splitsCoverEachKeyOnceInOrder() {
    filled(5_000);
    requireSplits(map);
    requireSplits(map.descendingMap());
    requireSplits(map.subMap(100, 4_000));
  }

  /// Strings with long common prefixes, unevenly spread, some of them prefixes of others.
  @Test
  void splitsOfUnevenKeysCoverEachKeyOnceInOrder() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    OrderedMap<String, String> strings = store.map("other", Codec.string(), Codec.string());
    String key = "";
    for (int count = 0; count < 5_000; count++) {
      key = random.nextInt(50) == 0 ? "" : key + (char) ('a' + random.nextInt(3));
      strings.put(key, "");
    }
    requireSplits(strings);
    requireSplits(strings.descendingMap());
  }

  private static <K> void requireSplits(OrderedMap<K, String> view) {
    List<K> keys = new ArrayList<>();
    List<Spliterator<K>> parts = new ArrayList<>();
    splitAll(view.keySet().spliterator(), parts);
    for (Spliterator<K> part : parts) {
      part.forEachRemaining(keys::add);
    }
    assertThat(keys).containsExactlyElementsOf(view.keySet());
    assertThat(parts).hasSizeGreaterThan(4);
  }

  private static <T> void splitAll(Spliterator<T> rest, List<Spliterator<T>> parts) {
    Spliterator<T> prefix = rest.trySplit();
    if (prefix == null) {
      parts.add(rest);
    } else {
      splitAll(prefix, parts);
      splitAll(rest, parts);
    }
  }

  /// What was passed before a split comes in neither half.
  @Test
  void splitOfABegunTraversalCoversTheRest() {
    filled(2_000);
    for (OrderedMap<Integer, String> view : List.of(map, map.descendingMap())) {
      List<Integer> keys = new ArrayList<>();
      Spliterator<Integer> rest = view.keySet().spliterator();
      for (int count = 0; count < 700; count++) {
        rest.tryAdvance(keys::add);
      }
      Spliterator<Integer> prefix = rest.trySplit();
      prefix.forEachRemaining(keys::add);
      rest.forEachRemaining(keys::add);
      assertThat(keys).containsExactlyElementsOf(view.keySet());
    }
  }

  @Test
  void parallelStreamsMeetEachEntryOnce() {
    filled(10_000);
    assertThat(map.keySet().parallelStream().mapToInt(key -> key).sum())
        .isEqualTo(IntStream.range(0, 10_000).sum());
    assertThat(map.entrySet().parallelStream().map(Map.Entry::getValue).toList())
        .containsExactlyElementsOf(map.values());
    assertThat(map.descendingMap().keySet().parallelStream().sorted().limit(3).toList())
        .containsExactly(0, 1, 2);
    assertThat(map.values().parallelStream().collect(Collectors.toSet())).hasSize(10_000);
  }

  @Test
  void spliteratorsTellWhatTheyPromise() {
    int sorted = Spliterator.SORTED | Spliterator.DISTINCT;
    int all = Spliterator.ORDERED | Spliterator.CONCURRENT | Spliterator.NONNULL;
    assertThat(filled(3).keySet().spliterator().characteristics()).isEqualTo(sorted | all);
    assertThat(map.entrySet().spliterator().characteristics()).isEqualTo(sorted | all);
    assertThat(map.values().spliterator().characteristics()).isEqualTo(all);
    assertThat(map.keySet().spliterator().getComparator()).isNull();
    assertThat(map.keySet().spliterator().estimateSize()).isEqualTo(3);
    Comparator<? super Map.Entry<Integer, String>> entries =
        map.descendingMap().entrySet().spliterator().getComparator();
    assertThat(entries.compare(Map.entry(1, "b"), Map.entry(2, "a"))).isPositive();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> map.values().spliterator().getComparator());
  }

  // Threads

  @Test
  void mergesByManyThreadsAllCount() throws InterruptedException {
    OrderedMap<Integer, Long> counts = store.map("other", Codec.int32(), Codec.int64());
    runInThreads(
        4,
        _ -> {
          for (int round = 0; round < 2_000; round++) {
            counts.merge(round % 7, 1L, Long::sum);
          }
        });
    assertThat(counts.values().stream().mapToLong(count -> count).sum()).isEqualTo(8_000);
  }

  @Test
  void eachEntryIsPolledOnce() throws InterruptedException {
    filled(4_000);
    Map<Integer, Integer> polls = new ConcurrentSkipListMap<>();
    runInThreads(
        4,
        thread -> {
          OrderedMap<Integer, String> view = thread % 2 == 0 ? map : map.descendingMap();
          for (var entry = view.pollFirstEntry(); entry != null; entry = view.pollFirstEntry()) {
            polls.merge(entry.getKey(), 1, Integer::sum);
          }
        });
    assertThat(polls).hasSize(4_000);
    assertThat(polls.values()).containsOnly(1);
    assertThat(map).isEmpty();
  }

  /// Iterators pass the changes of others: each key that stays is met once, in order.
  @Test
  void iterationMeetsWhatStaysAmongWhatComesAndGoes() throws InterruptedException {
    List<Integer> staying = new ArrayList<>();
    for (int key = 0; key < 4_000; key += 2) {
      map.put(key, "stays");
      staying.add(key);
    }
    var running = new AtomicInteger(2);
    runInThreads(
        4,
        thread -> {
          if (thread < 2) {
            for (int round = 0; round < 20_000; round++) {
              int key = (int) (round * 2_654_435_761L % 2_000) * 2 + 1;
              if (map.putIfAbsent(key, "goes") != null) {
                map.remove(key);
              }
            }
            running.decrementAndGet();
          } else {
            OrderedMap<Integer, String> view = thread == 2 ? map : map.descendingMap();
            List<Integer> expected = thread == 2 ? staying : staying.reversed();
            while (running.get() > 0) {
              List<Integer> met = new ArrayList<>(view.keySet());
              assertThat(met).isSortedAccordingTo(expectedOrder(view)).doesNotHaveDuplicates();
              met.removeIf(key -> key % 2 != 0);
              assertThat(met).isEqualTo(expected);
            }
          }
        });
  }

  private static Comparator<Integer> expectedOrder(OrderedMap<Integer, String> view) {
    return view.comparator() == null ? Comparator.naturalOrder() : Comparator.reverseOrder();
  }

  /// Reads of one point in the commit order see a whole putAll or none of it.
  @Test
  void putAllBecomesVisibleTogether() throws InterruptedException {
    int batchCount = 300;
    int batchSize = 50;
    var running = new AtomicInteger(1);
    runInThreads(
        2,
        thread -> {
          if (thread == 0) {
            for (int round = 0; round < batchCount; round++) {
              var batch = new HashMap<Integer, String>();
              for (int key = 0; key < batchSize; key++) {
                // No key comes twice, and each batch is all over the map.
                batch.put(key * batchCount + round, "v");
              }
              map.putAll(batch);
            }
            running.decrementAndGet();
          } else {
            while (running.get() > 0) {
              try (Snapshot snapshot = store.snapshot()) {
                assertThat(snapshot.count(map.space(), Range.all()) % batchSize).isZero();
              }
            }
          }
        });
    assertThat(map).hasSize(batchCount * batchSize);
  }

  @Test
  void entriesAreThereAfterTheStoreIsReopened(@TempDir Path directory) {
    try (Store disk = Store.open(directory)) {
      OrderedMap<String, Word> words = disk.map("words", Codec.string(), Codec.of(Word.class));
      words.putAll(Map.of("one", new Word("1"), "two", new Word("2")));
      words.put("three", new Word("3"));
      words.pollFirstEntry();
    }
    try (Store disk = Store.open(directory)) {
      OrderedMap<String, Word> words = disk.map("words", Codec.string(), Codec.of(Word.class));
      assertThat(words)
          .containsExactly(Map.entry("three", new Word("3")), Map.entry("two", new Word("2")));
      disk.verify().requireSound();
    }
  }

  private static void runInThreads(int count, IntConsumer body) throws InterruptedException {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      int thread = index;
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
              .start(() -> body.accept(thread)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
