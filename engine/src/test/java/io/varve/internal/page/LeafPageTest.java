package io.varve.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// A leaf under every sequence of changes that a tree makes, against a [TreeMap].
class LeafPageTest {
  private static final int PAGE_BYTES = 1024;
  private static final byte[] NONE = new byte[0];

  /// What is done to a leaf.
  sealed interface Change {}

  /// The value is all of one byte; a large one stands for a reference.
  record Put(byte[] key, int valueLength, int fill, boolean large) implements Change {
    byte[] value() {
      byte[] value = new byte[valueLength];
      Arrays.fill(value, (byte) fill);
      return value;
    }

    int tag() {
      return large ? valueLength | LeafPage.LARGE : valueLength;
    }

    @Override
    public String toString() {
      return "Put[" + show(key) + ", " + valueLength + (large ? ", large]" : "]");
    }
  }

  record Remove(byte[] key) implements Change {
    @Override
    public String toString() {
      return "Remove[" + show(key) + "]";
    }
  }

  record RemoveAt(int percent) implements Change {}

  record Rebuild() implements Change {}

  private static String show(byte[] key) {
    String hex = HexFormat.of().formatHex(key);
    return hex.length() <= 32 ? hex : hex.substring(0, 32) + ".. " + key.length;
  }

  private record Value(byte[] bytes, int tag) {}

  /// A leaf, changed as `TreeWriter` does it, and what it should hold.
  private static final class Subject {
    byte[] page = LeafPage.create(PAGE_BYTES, NONE, 0);
    NavigableMap<byte[], Value> model = new TreeMap<>(Arrays::compareUnsigned);

    void apply(Change change) {
      switch (change) {
        case Put put -> put(put.key(), put.value(), put.tag());
        case Remove(byte[] key) -> remove(LeafPage.find(page, key), key);
        case RemoveAt(int percent) -> {
          if (!model.isEmpty()) {
            int index = (model.size() - 1) * percent / 100;
            remove(index, LeafPage.key(page, index));
          }
        }
        case Rebuild() -> page = LeafPage.rebuild(page, 0, model.size(), PAGE_BYTES, null);
      }
    }

    private void put(byte[] key, byte[] value, int tag) {
      int index = LeafPage.find(page, key);
      if (index >= 0 && LeafPage.fitsOverValue(page, index, value.length)) {
        LeafPage.overwriteValue(page, index, value, tag);
      } else {
        while (!LeafPage.fitsInPlace(page, key, value.length)) {
          compactOrSplit(key, value.length);
        }
        index = LeafPage.find(page, key);
        if (index < 0) {
          LeafPage.insert(page, ~index, key, value, tag);
        } else {
          LeafPage.replaceValue(page, index, key, value, tag);
        }
      }
      model.put(key, new Value(value, tag));
    }

    private void compactOrSplit(byte[] key, int valueLength) {
      int count = LeafPage.count(page);
      int entry = LeafPage.entryBytes(key.length, valueLength);
      if (count <= 1) {
        int needed = LeafPage.bytesFor(LeafPage.liveBytes(page) + entry);
        page = LeafPage.rebuild(page, 0, count, Math.max(PAGE_BYTES, needed), key);
        assertThat(LeafPage.fitsInPlace(page, key, valueLength)).isTrue();
        return;
      }
      byte[] compact = LeafPage.rebuild(page, 0, count, PAGE_BYTES, key);
      if (LeafPage.fitsInPlace(compact, key, valueLength)) {
        page = compact;
      } else {
        split(key);
      }
    }

    /// Continues with the half where the key belongs; the other must hold the rest.
    private void split(byte[] key) {
      int count = LeafPage.count(page);
      int middle = LeafPage.middle(page);
      assertThat(middle).isBetween(1, count - 1);
      byte[] separator =
          Bytes.shortestSeparator(LeafPage.key(page, middle - 1), LeafPage.key(page, middle));
      byte[] left = LeafPage.rebuild(page, 0, middle, PAGE_BYTES, null);
      byte[] right = LeafPage.rebuild(page, middle, count, PAGE_BYTES, null);
      NavigableMap<byte[], Value> leftModel = model.headMap(separator, false);
      NavigableMap<byte[], Value> rightModel = model.tailMap(separator, true);
      requireEqual(left, leftModel);
      requireEqual(right, rightModel);
      boolean isLeft = Arrays.compareUnsigned(key, separator) < 0;
      page = isLeft ? left : right;
      NavigableMap<byte[], Value> kept = new TreeMap<>(Arrays::compareUnsigned);
      kept.putAll(isLeft ? leftModel : rightModel);
      model = kept;
    }

    private void remove(int index, byte[] key) {
      assertThat(index >= 0).isEqualTo(model.containsKey(key));
      if (index >= 0) {
        LeafPage.remove(page, index);
        model.remove(key);
      }
    }
  }

  private static void requireEqual(byte[] page, NavigableMap<byte[], Value> model) {
    assertThat(LeafPage.count(page)).isEqualTo(model.size());
    assertThat(LeafPage.liveBytes(page) + LeafPage.freeBytes(page))
        .isEqualTo(page.length - LeafPage.SLOTS);
    assertThat(LeafPage.gapBytes(page)).isBetween(0, LeafPage.freeBytes(page));
    int index = 0;
    for (Map.Entry<byte[], Value> entry : model.entrySet()) {
      requireEntry(page, index, entry.getKey(), entry.getValue());
      index++;
    }
    boolean anyLarge = model.values().stream().anyMatch(value -> (value.tag & LeafPage.LARGE) != 0);
    // A page does not notice when its last large value goes; a page built again knows.
    byte[] rebuilt = LeafPage.rebuild(page, 0, model.size(), page.length, null);
    assertThat(LeafPage.hasLarge(rebuilt)).isEqualTo(anyLarge);
    assertThat(LeafPage.hasLarge(page) || !anyLarge).isTrue();
  }

  private static void requireEntry(byte[] page, int index, byte[] key, Value value) {
    assertThat(LeafPage.key(page, index)).isEqualTo(key);
    assertThat(LeafPage.keyLength(page, index)).isEqualTo(key.length);
    assertThat(LeafPage.find(page, key)).isEqualTo(index);
    requireProbed(page, key, index);
    assertThat(LeafPage.compareKey(page, index, key)).isZero();
    assertThat(LeafPage.value(page, index)).isEqualTo(value.bytes);
    assertThat(LeafPage.tag(page, index)).isEqualTo(value.tag);
    assertThat(LeafPage.isLarge(page, index)).isEqualTo((value.tag & LeafPage.LARGE) != 0);
    int length = LeafPage.valueLength(page, index);
    assertThat(length).isEqualTo(value.bytes.length);
    int offset = LeafPage.valueOffset(page, index);
    assertThat(Arrays.copyOfRange(page, offset, offset + length)).isEqualTo(value.bytes);
    byte[] start = new byte[Math.min(7, key.length)];
    assertThat(LeafPage.readKey(page, index, start)).isEqualTo(key.length);
    assertThat(start).isEqualTo(Arrays.copyOf(key, start.length));
  }

  /// Where a key that may be absent is or would be, and how it compares with every entry.
  private static void requireFound(
      byte[] page, NavigableMap<byte[], Value> model, List<byte[]> keys) {
    for (byte[] key : keys) {
      int place = model.headMap(key, false).size();
      assertThat(LeafPage.find(page, key)).isEqualTo(model.containsKey(key) ? place : ~place);
      requireProbed(page, key, model.containsKey(key) ? place : -1);
      for (int i = 0; i < model.size(); i++) {
        assertThat(Integer.signum(LeafPage.compareKey(page, i, key)))
            .isEqualTo(Integer.signum(Arrays.compareUnsigned(LeafPage.key(page, i), key)));
      }
    }
  }

  /// A search step by step ends where it should, or the last step reports that it does not.
  private static void requireProbed(byte[] page, byte[] key, int index) {
    int probed = probe(page, key);
    for (int i = 0; i <= LeafPage.count(page); i++) {
      assertThat(LeafProbe.isAt(page, i, key)).isEqualTo(i == index);
    }
    if (index >= 0 && isHeadAlone(page, index)) {
      assertThat(probed).isEqualTo(index);
    }
  }

  private static int probe(byte[] page, byte[] key) {
    LeafProbe.touchHeader(page);
    int first = LeafProbe.firstSlot(page, key);
    LeafProbe.touchSlots(page, first);
    int index = LeafProbe.index(page, key, first);
    LeafProbe.touchRecord(page, index);
    return index;
  }

  private static boolean isHeadAlone(byte[] page, int index) {
    int slot = LeafPage.SLOTS + LeafPage.SLOT_BYTES * index;
    int head = Bytes.i32(page, slot);
    boolean before = index > 0 && Bytes.i32(page, slot - LeafPage.SLOT_BYTES) == head;
    boolean after =
        index < LeafPage.count(page) - 1 && Bytes.i32(page, slot + LeafPage.SLOT_BYTES) == head;
    return !before && !after;
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<Change> put =
        Combinators.combine(
                Keys.any(),
                Arbitraries.integers().between(0, 60).edgeCases(edges -> edges.add(0)),
                Arbitraries.integers().between(1, 127),
                Arbitraries.of(false, false, false, true))
            .as((key, length, fill, large) ->
                new Put(key, large ? LargeReference.BYTES : length, fill, large));
    Arbitrary<Change> remove = Keys.any().map(Remove::new);
    Arbitrary<Change> removeAt = Arbitraries.integers().between(0, 100).map(RemoveAt::new);
    Arbitrary<Change> rebuild = Arbitraries.just(new Rebuild());
    return Arbitraries.frequencyOf(
            Tuple.of(12, put), Tuple.of(2, remove), Tuple.of(3, removeAt), Tuple.of(1, rebuild))
        .list()
        .ofMaxSize(150);
  }

  @Provide
  Arbitrary<List<byte[]>> keys() {
    return Keys.any().list().ofMaxSize(20);
  }

  @Property(tries = 400)
  void holdsWhatAMapHolds(
      @ForAll("changes") List<Change> changes, @ForAll("keys") List<byte[]> sought) {
    Subject subject = new Subject();
    for (Change change : changes) {
      subject.apply(change);
      assertThat(LeafPage.count(subject.page)).isEqualTo(subject.model.size());
    }
    requireEqual(subject.page, subject.model);
    requireFound(subject.page, subject.model, sought);
  }

  /// A checkpoint writes the page, and a load reads it: nothing else may come back.
  @Property(tries = 200)
  void imageHoldsWhatThePageHolds(@ForAll("changes") List<Change> changes) {
    Subject subject = new Subject();
    changes.forEach(subject::apply);
    byte[] image = PageImage.ofLeaf(subject.page, 1, 2);
    assertThat(PageImage.isValid(image, PageImage.Kind.LEAF, Bytes.i32(image, 4))).isTrue();
    byte[] loaded = PageImage.toLeaf(image);
    requireEqual(loaded, subject.model);
    requireWritable(loaded, subject.page, image);

    byte[] columns = LeafColumns.of(image);
    byte[] padded = new byte[PageImage.HEADER_BYTES + columns.length];
    System.arraycopy(columns, 0, padded, PageImage.HEADER_BYTES, columns.length);
    requireEqual(PageImage.toLeaf(LeafColumns.toImage(padded)), subject.model);
  }

  /// A page that was read has hardly a gap; a copy for a writer has as many free bytes as before.
  private static void requireWritable(byte[] loaded, byte[] before, byte[] image) {
    assertThat(LeafPage.gapBytes(loaded)).isLessThanOrEqualTo(LeafPage.GAP_MIN);
    assertThat(LeafPage.freeBytes(loaded)).isEqualTo(LeafPage.gapBytes(loaded));
    byte[] writable = LeafPage.writableCopy(loaded, before.length);
    assertThat(writable).hasSize(before.length);
    assertThat(LeafPage.gapBytes(writable)).isEqualTo(LeafPage.freeBytes(before));
    assertThat(PageImage.ofLeaf(writable, 1, 2)).isEqualTo(image);
    assertThat(LeafPage.writableCopy(writable, 1)).isEqualTo(writable).isNotSameAs(writable);
  }

  /// In key order, one record after the other up to the prefix; a page that is like that stays.
  @Property(tries = 200)
  void recordsComeIntoKeyOrder(@ForAll("changes") List<Change> changes) {
    Subject subject = new Subject();
    changes.forEach(subject::apply);
    byte[] before = subject.page.clone();
    byte[] ordered = RecordOrder.inOrder(subject.page);
    assertThat(subject.page).isEqualTo(before);
    requireEqual(ordered, subject.model);
    assertThat(RecordOrder.inOrder(ordered)).isSameAs(ordered);
    assertThat(LeafPage.hasLarge(ordered)).isEqualTo(LeafPage.hasLarge(before));
    assertThat(LeafPage.freeBytes(ordered)).isEqualTo(LeafPage.freeBytes(before));
    assertThat(LeafPage.gapBytes(ordered)).isEqualTo(LeafPage.freeBytes(ordered));
    for (int i = 1; i < subject.model.size(); i++) {
      int end = LeafPage.valueOffset(ordered, i - 1) + LeafPage.valueLength(ordered, i - 1);
      int suffix = LeafPage.keyLength(ordered, i) - Bytes.u16(ordered, LeafPage.PREFIX);
      assertThat(LeafPage.valueOffset(ordered, i)).isEqualTo(end + LeafPage.RECORD_HEADER + suffix);
    }

    Subject continued = new Subject();
    continued.page = ordered;
    continued.model = subject.model;
    changes.forEach(continued::apply);
    requireEqual(continued.page, continued.model);
  }

  /// A page that is called sequential is, whatever was done to it.
  @Property(tries = 500)
  void sequentialPagesArePassedInOneDirection(
      @ForAll("changes") List<Change> changes, @ForAll boolean orderedBefore) {
    Subject subject = new Subject();
    for (Change change : changes) {
      if (orderedBefore && subject.model.size() == 5) {
        subject.page = RecordOrder.copyInOrder(subject.page);
      }
      subject.apply(change);
      requireOneDirection(subject.page);
    }
    assertThat(RecordOrder.isSequential(RecordOrder.copyInOrder(subject.page))).isTrue();
  }

  private static void requireOneDirection(byte[] page) {
    int up = 0;
    int down = 0;
    for (int i = 1; RecordOrder.isSequential(page) && i < LeafPage.count(page); i++) {
      if (LeafPage.valueOffset(page, i - 1) < LeafPage.valueOffset(page, i)) {
        up++;
      } else {
        down++;
      }
    }
    assertThat(Math.min(up, down)).isZero();
  }

  @Test
  void pagesOfAppendsNeedNoOrder() {
    byte[] page = LeafPage.create(PAGE_BYTES, NONE, 0);
    for (int i = 0; i < 20; i++) {
      LeafPage.insert(page, i, new byte[] {1, (byte) i}, new byte[4], 4);
      assertThat(RecordOrder.isSequential(page)).isTrue();
    }
    LeafPage.insert(page, 3, new byte[] {1, 2, 0}, new byte[4], 4);
    assertThat(RecordOrder.isSequential(page)).isFalse();
    assertThat(RecordOrder.isSequential(LeafPage.rebuild(page, 0, 21, PAGE_BYTES, null))).isTrue();
  }

  /// Every slice of a page, with the prefix that its keys and a new one share.
  @Property(tries = 200)
  void rebuildTakesAnySlice(
      @ForAll("changes") List<Change> changes,
      @ForAll @IntRange(max = 100) int fromPercent,
      @ForAll @IntRange(max = 100) int toPercent) {
    Subject subject = new Subject();
    changes.forEach(subject::apply);
    int count = subject.model.size();
    int from = count * Math.min(fromPercent, toPercent) / 100;
    int to = count * Math.max(fromPercent, toPercent) / 100;
    byte[] slice = LeafPage.rebuild(subject.page, from, to, PAGE_BYTES, null);
    NavigableMap<byte[], Value> expected = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = from; i < to; i++) {
      byte[] key = LeafPage.key(subject.page, i);
      expected.put(key, subject.model.get(key));
    }
    requireEqual(slice, expected);
    assertThat(LeafPage.freeBytes(slice)).isEqualTo(LeafPage.gapBytes(slice));

    byte[][] keys = expected.keySet().toArray(byte[][]::new);
    if (keys.length > 0) {
      byte[][] values = expected.values().stream().map(Value::bytes).toArray(byte[][]::new);
      int[] tags = expected.values().stream().mapToInt(Value::tag).toArray();
      requireEqual(LeafPage.build(keys, values, tags, 0, keys.length, PAGE_BYTES), expected);
    }
  }

  /// A page that a reader sees while a writer changes it holds anything: the reader ends, and fails
  /// with nothing but an exception that reports that it went out of bounds.
  @Property(tries = 300)
  void readersOfTornBytesEnd(
      @ForAll("changes") List<Change> changes,
      @ForAll("keys") List<byte[]> sought,
      @ForAll long seed) {
    Subject subject = new Subject();
    changes.forEach(subject::apply);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20; round++) {
      byte[] torn = subject.page.clone();
      for (int i = random.nextInt(1, 30); i > 0; i--) {
        boolean inHeader = random.nextInt(3) == 0;
        int at = random.nextInt(inHeader ? LeafPage.SLOTS + 60 : torn.length);
        torn[at] = (byte) random.nextInt();
      }
      for (byte[] key : sought) {
        requireEnds(() -> LeafPage.find(torn, key));
        requireEnds(() -> LeafPage.compareKey(torn, random.nextInt(200), key));
        requireEnds(() -> LeafProbe.isAt(torn, probe(torn, key), key));
        requireEnds(() -> LeafPage.readKey(torn, random.nextInt(200), new byte[5]));
      }
      int index = random.nextInt(200);
      requireEnds(() -> LeafPage.key(torn, index));
      requireEnds(() -> LeafPage.value(torn, index));
      requireEnds(() -> LeafPage.isLarge(torn, index));
      requireEnds(() ->
          Math.addExact(LeafPage.valueOffset(torn, index), LeafPage.valueLength(torn, index)));
      requireEnds(() -> LeafPage.hasLarge(torn));
    }
  }

  private static void requireEnds(Runnable reader) {
    try {
      reader.run();
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      // What the reader's version check then explains.
    }
  }

  /// Guards against hints of an earlier set of entries.
  @Test
  void hintsHoldThroughInsertsInAnyOrder() {
    SplittableRandom random = new SplittableRandom(5);
    for (int run = 0; run < 50; run++) {
      Subject subject = new Subject();
      subject.page = LeafPage.create(8192, NONE, 0);
      for (int i = 0; i < 300; i++) {
        byte[] key = {(byte) random.nextInt(run % 2 == 0 ? 256 : 3), (byte) random.nextInt()};
        int index = LeafPage.find(subject.page, key);
        if (random.nextInt(4) == 0) {
          subject.remove(index, key);
        } else if (index < 0) {
          LeafPage.insert(subject.page, ~index, key, NONE, 0);
          subject.model.put(key, new Value(NONE, 0));
        }
      }
      requireEqual(subject.page, subject.model);
      List<byte[]> all = new ArrayList<>();
      for (int i = 0; i < 256 * 4; i++) {
        all.add(new byte[] {(byte) (i % 256), (byte) (i / 256 * 64)});
      }
      requireFound(subject.page, subject.model, all);
    }
  }

  @Test
  void hintsHoldAfterARunOfAppends() {
    byte[] page = LeafPage.create(8192, NONE, 0);
    for (int i = 0; i < 200; i++) {
      LeafPage.insert(page, i, new byte[] {(byte) i}, NONE, 0);
      for (int sought = 0; sought < 256; sought++) {
        assertThat(LeafPage.find(page, new byte[] {(byte) sought}))
            .isEqualTo(sought <= i ? sought : ~(i + 1));
      }
    }
  }

  /// Guards against hints that a page had before it shrank below the count from which hints are
  /// made. Once appends have filled it again, such hints would count for the same number of other
  /// entries.
  @Test
  void hintsOfAnEarlierFillingAreForgotten() {
    byte[] page = LeafPage.create(8192, NONE, 0);
    for (int i = 34; i-- > 0; ) {
      LeafPage.insert(page, 0, new byte[] {(byte) i}, NONE, 0);
    }
    for (int i = 0; i < 30; i++) {
      LeafPage.remove(page, 0);
    }
    for (int i = 4; i < 34; i++) {
      LeafPage.insert(page, i, new byte[] {(byte) (30 + i)}, NONE, 0);
    }
    for (int i = 0; i < 34; i++) {
      assertThat(LeafPage.find(page, new byte[] {(byte) (30 + i)})).isEqualTo(i);
    }
  }

  /// Guards the same over every count at which hints may come and go.
  @Test
  void hintsHoldWhileAPageShrinksAndIsFilledAgain() {
    SplittableRandom random = new SplittableRandom(7);
    for (int run = 0; run < 200; run++) {
      Subject subject = new Subject();
      subject.page = LeafPage.create(8192, NONE, 0);
      int newest = 0;
      for (int round = 0; round < 20; round++) {
        while (subject.model.size() > 20 + random.nextInt(20)) {
          int index = random.nextInt(subject.model.size());
          subject.remove(index, LeafPage.key(subject.page, index));
        }
        while (subject.model.size() < 30 + random.nextInt(20)) {
          int number = random.nextInt(8) == 0 ? random.nextInt(newest + 1) : ++newest;
          byte[] key = {(byte) (number >>> 8), (byte) number};
          subject.apply(new Put(key, 0, 0, false));
        }
        requireFound(subject.page, subject.model, List.copyOf(subject.model.keySet()));
      }
      requireEqual(subject.page, subject.model);
    }
  }

  @Test
  void ascendingRunIsSeenAndForgotten() {
    byte[] page = LeafPage.create(PAGE_BYTES, NONE, 0);
    for (int i = 0; i < 10; i++) {
      LeafPage.insert(page, i, new byte[] {(byte) (10 * i)}, NONE, 0);
    }
    assertThat(LeafPage.isAscendingRun(page, 10)).isTrue();
    assertThat(LeafPage.isAscendingRun(page, 5)).as("not where the run is").isFalse();
    LeafPage.insert(page, 3, new byte[] {25}, NONE, 0);
    assertThat(LeafPage.isAscendingRun(page, 4)).isFalse();
    for (int i = 4; i < 9; i++) {
      LeafPage.insert(page, i, new byte[] {(byte) (22 + i)}, NONE, 0);
    }
    assertThat(LeafPage.isAscendingRun(page, 9)).as("a run in the middle").isTrue();
    LeafPage.remove(page, 0);
    assertThat(LeafPage.isAscendingRun(page, 9)).isFalse();
  }

  @Test
  void middleHalvesTheBytes() {
    byte[] page = LeafPage.create(8192, NONE, 0);
    for (int i = 0; i < 60; i++) {
      LeafPage.insert(page, i, new byte[] {(byte) i}, new byte[i < 6 ? 500 : 10], i < 6 ? 500 : 10);
    }
    assertThat(LeafPage.middle(page)).as("half of 4126 bytes").isBetween(3, 4 + 1);
    byte[] two = LeafPage.create(8192, NONE, 0);
    LeafPage.insert(two, 0, new byte[] {0}, new byte[3000], 3000);
    LeafPage.insert(two, 1, new byte[] {1}, NONE, 0);
    assertThat(LeafPage.middle(two)).isEqualTo(1);
  }

  @Test
  void keyThatIsThePrefixAndKeysAroundIt() {
    byte[] page = LeafPage.create(PAGE_BYTES, new byte[] {5, 6}, 2);
    LeafPage.insert(page, 0, new byte[] {5, 6}, NONE, 0);
    LeafPage.insert(page, 1, new byte[] {5, 6, 0}, NONE, 0);
    assertThat(LeafPage.find(page, NONE)).isEqualTo(~0);
    assertThat(LeafPage.find(page, new byte[] {5})).isEqualTo(~0);
    assertThat(LeafPage.find(page, new byte[] {5, 5, 9})).isEqualTo(~0);
    assertThat(LeafPage.find(page, new byte[] {5, 6})).isZero();
    assertThat(LeafPage.find(page, new byte[] {5, 6, 0})).isEqualTo(1);
    assertThat(LeafPage.find(page, new byte[] {5, 6, 0, 0})).isEqualTo(~2);
    assertThat(LeafPage.find(page, new byte[] {(byte) 0xff})).isEqualTo(~2);
    assertThat(LeafPage.fitsInPlace(page, new byte[] {5}, 0)).as("has not the prefix").isFalse();
    assertThat(LeafPage.fitsInPlace(page, new byte[] {5, 7}, 0)).isFalse();
    assertThat(LeafPage.fitsInPlace(page, new byte[] {5, 6, 7}, 0)).isTrue();
  }

  @Test
  void leafMayTakeAllThatOffsetsReachAndNoMore() {
    byte[] page = LeafPage.create(LeafPage.BYTES_MAX, NONE, 0);
    byte[] key = new byte[Keys.BYTES_MAX];
    byte[] value = new byte[0x7fff];
    LeafPage.insert(page, 0, key, value, value.length);
    assertThat(LeafPage.value(page, 0)).isEqualTo(value);
    assertThatCode(() -> LeafPage.rebuild(page, 0, 1, 1024, key)).doesNotThrowAnyException();
    assertThatThrownBy(() -> LeafPage.create(LeafPage.BYTES_MAX + 1, NONE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
