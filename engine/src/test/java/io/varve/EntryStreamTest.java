package io.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.SpliteratorTester;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Spliterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Streams over snapshots: what they show, where they are cut, what they read.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class EntryStreamTest {
  private static final StoreOptions SMALL_PAGES =
      StoreOptions.defaults().pageBytes(1024).durability(Durability.BACKGROUND);

  @TempDir private Path directory;

  private static byte[] key(int number) {
    return "%08d".formatted(number).getBytes(UTF_8);
  }

  private static byte[] value(int number) {
    return ("value " + number).getBytes(UTF_8);
  }

  private static void fill(Space space, int from, int to) {
    space
        .store()
        .transact(tx -> {
          for (int i = from; i < to; i++) {
            tx.put(space, key(i), value(i));
          }
        });
  }

  private static Entry entry(int number) {
    return new Entry(key(number), value(number));
  }

  /// All parts, in order, none of which can be cut any further.
  private static <T> List<Spliterator<T>> parts(Spliterator<T> whole) {
    List<Spliterator<T>> parts = new ArrayList<>();
    cut(whole, parts);
    return parts;
  }

  private static <T> void cut(Spliterator<T> rest, List<Spliterator<T>> parts) {
    Spliterator<T> prefix = rest.trySplit();
    if (prefix != null) {
      cut(prefix, parts);
      cut(rest, parts);
    } else {
      parts.add(rest);
    }
  }

  private static <T> List<T> elements(Spliterator<T> spliterator) {
    List<T> elements = new ArrayList<>();
    spliterator.forEachRemaining(elements::add);
    return elements;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 40, 700})
  void theContractOfSpliteratorsHolds(int count) {
    List<Entry> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add(entry(i));
    }
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      fill(space, 0, count);
      try (Snapshot snapshot = store.snapshot()) {
        SpliteratorTester.of(() -> snapshot.spliterator(space, Range.all()))
            .expect(expected)
            .inOrder();
        SpliteratorTester.of(
                () -> snapshot.spliterator(space, Range.all(), cursor -> cursor.entry().hashCode()))
            .expect(expected.stream().map(Entry::hashCode).toList())
            .inOrder();
        assertThat(snapshot.spliterator(space, Range.all()).characteristics())
            .isEqualTo(
                Spliterator.ORDERED
                    | Spliterator.DISTINCT
                    | Spliterator.NONNULL
                    | Spliterator.IMMUTABLE);
      }
    }
  }

  /// What was written by a checkpoint is counted exactly, and cut in halves that differ by a leaf.
  @Test
  void cutsAreNearTheMiddleAndReadNoLeaf() {
    int count = 60_000;
    try (Store store = Store.open(directory, SMALL_PAGES)) {
      fill(store.space("s"), 0, count);
    }
    try (Store store = Store.open(directory, SMALL_PAGES)) {
      Space space = store.space("s");
      try (Snapshot snapshot = store.snapshot()) {
        Spliterator<Entry> rest = snapshot.spliterator(space, Range.all());
        assertThat(rest.estimateSize()).isEqualTo(count);
        List<Spliterator<Entry>> eight = new ArrayList<>(List.of(rest));
        for (int cuts = 0; cuts < 3; cuts++) {
          for (Spliterator<Entry> part : List.copyOf(eight)) {
            eight.add(part.trySplit());
          }
        }
        // The root, and the inner pages on the way to seven cuts: about thirty entries in a leaf.
        assertThat(store.statistics().cache().loads()).isLessThan(80);
        for (Spliterator<Entry> part : eight) {
          long estimate = part.estimateSize();
          assertThat(estimate).isBetween(count / 8 - 100L, count / 8 + 100L);
          assertThat(elements(part)).hasSize((int) estimate);
        }
      }
    }
  }

  /// Splits between advances, also after the last key before an end `k + 0x00`, in a tree of three
  /// levels: a range that is empty then must not be cut, or others' entries are met again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void splitsBetweenAdvancesMeetEachEntryOnce(long seed) {
    Random random = new Random(seed);
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 1500; i++) {
        String key = "user%06d".formatted(i) + "x".repeat(120);
        keys.add(key.getBytes(UTF_8));
        keys.add((key + "\0").getBytes(UTF_8));
        keys.add((key + "\0\0mail").getBytes(UTF_8));
      }
      store.transact(tx -> keys.forEach(key -> tx.put(space, key, key)));
      try (Snapshot snapshot = store.snapshot()) {
        for (int round = 0; round < 10; round++) {
          List<byte[]> met = new ArrayList<>();
          meet(snapshot.spliterator(space, Range.all(), Cursor::key), met, random);
          assertThat(met).as("seed=" + seed + ", round=" + round).hasSameSizeAs(keys);
          for (int i = 0; i < keys.size(); i++) {
            assertThat(met.get(i)).isEqualTo(keys.get(i));
          }
        }
      }
    }
  }

  private static void meet(Spliterator<byte[]> rest, List<byte[]> met, Random random) {
    while (rest.tryAdvance(met::add)) {
      if (random.nextInt(3) > 0) {
        Spliterator<byte[]> prefix = rest.trySplit();
        if (prefix != null) {
          meet(prefix, met, random);
        }
      }
    }
  }

  /// Where nothing was written yet the estimate is one of samples, and the cuts are near halves.
  @Test
  void aTreeThatIsDirtyIsCutEvenly() {
    int count = 30_000;
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      for (int from = 0; from < count; from += 1000) {
        fill(space, from, from + 1000);
      }
      try (Snapshot snapshot = store.snapshot()) {
        Spliterator<Entry> rest = snapshot.spliterator(space, Range.all());
        assertThat(rest.estimateSize()).isBetween(count / 2L, count * 2L);
        Spliterator<Entry> prefix = rest.trySplit();
        int half = elements(prefix).size();
        assertThat(half).isBetween(count / 4, 3 * count / 4);
        assertThat(elements(rest)).hasSize(count - half);
      }
    }
  }

  @Test
  void partsOfARangeHoldItOnceAndInOrder() {
    int count = 5_000;
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      fill(space, 0, count);
      try (Snapshot snapshot = store.snapshot()) {
        for (int from : new int[] {0, 1, 777, 4_998}) {
          for (int to : new int[] {from, from + 1, from + 60, count}) {
            Range range = Range.of(key(from), key(to));
            List<Spliterator<Entry>> parts = parts(snapshot.spliterator(space, range));
            List<Entry> met = parts.stream().flatMap(part -> elements(part).stream()).toList();
            List<Entry> expected = new ArrayList<>();
            for (int i = from; i < Math.min(to, count); i++) {
              expected.add(entry(i));
            }
            assertThat(met).isEqualTo(expected);
            assertThat(snapshot.stream(space, range).parallel().toList()).isEqualTo(expected);
          }
        }
      }
    }
  }

  @Test
  void aPartIsSplitAfterWhatItHasPassed() {
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      fill(space, 0, 1000);
      try (Snapshot snapshot = store.snapshot()) {
        Spliterator<Entry> rest = snapshot.spliterator(space, Range.all());
        List<Entry> met = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
          assertThat(rest.tryAdvance(met::add)).isTrue();
        }
        Spliterator<Entry> prefix = rest.trySplit();
        met.addAll(elements(prefix));
        assertThat(met.size()).isBetween(350, 950);
        met.addAll(elements(rest));
        assertThat(met).hasSize(1000).doesNotHaveDuplicates();
        assertThat(rest.trySplit()).isNull();
        assertThat(rest.estimateSize()).isZero();
      }
    }
  }

  @Test
  void changesAfterwardsAreNotSeen() {
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      fill(space, 0, 2000);
      List<Entry> before = new ArrayList<>();
      space.scan(Range.all()).forEach(before::add);
      try (Stream<Entry> stream = space.stream(Range.all())) {
        space.put(key(7), value(8));
        space.deleteRange(Range.of(key(500), key(1500)));
        fill(space, 2000, 3000);
        assertThat(stream.toList()).isEqualTo(before);
      }
      assertThat(space.count(Range.all())).isEqualTo(2000);
    }
  }

  @Test
  void aSpaceMadeAfterwardsIsEmpty() {
    try (Store store = Store.inMemory(SMALL_PAGES);
        Snapshot snapshot = store.snapshot()) {
      Space late = store.space("late");
      fill(late, 0, 10);
      assertThat(snapshot.stream(late, Range.all())).isEmpty();
      assertThat(snapshot.spliterator(late, Range.all()).estimateSize()).isZero();
    }
  }

  @Test
  void closingTheStreamOfASpaceClosesItsSnapshot() {
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      fill(space, 0, 100);
      Stream<Entry> stream = space.stream(Range.all());
      Spliterator<Entry> rest = stream.spliterator();
      assertThat(rest.tryAdvance(_ -> {})).isTrue();
      assertThat(store.statistics().snapshots().open()).hasSize(1);
      stream.close();
      assertThat(store.statistics().snapshots().open()).isEmpty();
      assertThatThrownBy(() -> rest.tryAdvance(_ -> {})).isInstanceOf(StoreClosedException.class);
      assertThatThrownBy(rest::trySplit).isInstanceOf(StoreClosedException.class);
    }
  }

  /// Values that are outside of leaves are read by the threads of the stream.
  @Test
  void largeValuesAreReadInParallel() {
    try (Store store = Store.inMemory(SMALL_PAGES)) {
      Space space = store.space("s");
      for (int i = 0; i < 200; i++) {
        byte[] large = new byte[3000];
        Arrays.fill(large, (byte) i);
        space.put(key(i), large);
      }
      try (Stream<Entry> stream = space.stream(Range.all())) {
        List<Integer> met =
            stream
                .parallel()
                .map(entry -> entry.value().length + (entry.value()[2999] & 0xff))
                .toList();
        assertThat(met).hasSize(200).startsWith(3000, 3001).endsWith(3199);
      }
    }
  }
}
