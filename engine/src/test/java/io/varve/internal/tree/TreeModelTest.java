package io.varve.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A tree of three levels, changed one by one and in batches over several epochs, against a map: by
/// cursors that move both ways, by counts, differences and cuts of ranges.
class TreeModelTest {
  private static final int KEYS = 6_000;

  private final MemoryPages memory = MemoryPages.open();
  private final Pages pages = memory.pages();
  private final Epochs epochs = memory.epochs(1);
  private final Tree tree = Tree.empty(pages, Clock.SYSTEM, 1);
  private final TreeWriter writer = new TreeWriter(tree, epochs);
  private final NeededPages needed = new NeededPages();
  private final SplittableRandom random = new SplittableRandom(11);
  private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(20).putInt(16, number).array();
  }

  private void put(byte[] key, byte[] value) {
    assertThat(writer.preparePut(key, value.length, epochs.current(), needed)).isTrue();
    writer.put(key, value, value.length, epochs.current());
    model.put(key, value);
  }

  private void delete(byte[] key) {
    assertThat(writer.prepareDelete(key, epochs.current(), needed)).isTrue();
    StoredValue found = writer.found();
    writer.delete(epochs.current());
    byte[] expected = model.remove(key);
    assertThat(found == null ? null : found.bytes()).isEqualTo(expected);
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(160)];
    random.nextBytes(value);
    return value;
  }

  private void fill() {
    for (int i = 0; i < KEYS; i++) {
      put(key(2 * (i * 2_741 % KEYS)), value());
    }
    assertThat(tree.root().level()).isEqualTo(2);
  }

  private record Batch(List<byte[]> keys, List<byte @Nullable []> values) implements Changes {
    @Override
    public int size() {
      return keys.size();
    }

    @Override
    public byte[] key(int index) {
      return keys.get(index);
    }

    @Override
    public byte @Nullable [] value(int index) {
      return values.get(index);
    }

    @Override
    public int tag(int index) {
      byte[] value = values.get(index);
      return value == null ? 0 : value.length;
    }
  }

  /// Changes that are dense in one part of the keys, so that leaves split, empty and merge.
  private Batch batch(int from, int step, int putsInTen) {
    Batch batch = new Batch(new ArrayList<>(), new ArrayList<>());
    for (int number = from, i = 0; i < 300; i++, number += 1 + random.nextInt(step)) {
      batch.keys.add(key(number));
      batch.values.add(random.nextInt(10) < putsInTen ? value() : null);
    }
    return batch;
  }

  private void apply(Batch batch) {
    long epoch = epochs.current();
    BatchPlan plan = writer.prepare(batch, epoch, needed);
    assertThat(plan).isNotNull();
    for (int i = 0; i < batch.size(); i++) {
      StoredValue stored = plan.stored(i, batch.key(i));
      assertThat(stored == null ? null : stored.bytes()).isEqualTo(model.get(batch.key(i)));
    }
    writer.begin(plan);
    writer.apply(plan, batch, epoch);
    writer.end(plan);
    writer.tidy(batch, epoch);
    for (int i = 0; i < batch.size(); i++) {
      byte[] value = batch.value(i);
      if (value == null) {
        model.remove(batch.key(i));
      } else {
        model.put(batch.key(i), value);
      }
    }
  }

  private void requireHolds(@Nullable Node fixed, NavigableMap<byte[], byte[]> expected) {
    TreeCursor cursor = new TreeCursor(tree, fixed, new byte[0], null);
    for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
      assertThat(cursor.next()).isTrue();
      requireOn(cursor, entry);
    }
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.isOnEntry()).isFalse();
    assertThat(cursor.next()).as("after the end").isFalse();
    for (Map.Entry<byte[], byte[]> entry : expected.descendingMap().entrySet()) {
      assertThat(cursor.previous()).isTrue();
      requireOn(cursor, entry);
    }
    assertThat(cursor.previous()).isFalse();
    assertThat(cursor.previous()).as("before the start").isFalse();
  }

  private static void requireOn(TreeCursor cursor, Map.Entry<byte[], byte[]> entry) {
    assertThat(cursor.isOnEntry()).isTrue();
    assertThat(LeafPage.key(cursor.page(), cursor.index())).isEqualTo(entry.getKey());
    assertThat(LeafPage.value(cursor.page(), cursor.index())).isEqualTo(entry.getValue());
  }

  private void requireAt(TreeCursor cursor, boolean found, byte @Nullable [] expected) {
    assertThat(found).isEqualTo(expected != null);
    if (expected != null) {
      assertThat(LeafPage.key(cursor.page(), cursor.index())).isEqualTo(expected);
    }
  }

  /// Every key, those right below and above it, and both ends of the range.
  private void requireSeeks(NavigableMap<byte[], byte[]> range, byte[] from, byte[] to) {
    TreeCursor live = new TreeCursor(tree, null, from, to);
    requireAt(live, live.first(), range.isEmpty() ? null : range.firstKey());
    requireAt(live, live.last(), range.isEmpty() ? null : range.lastKey());
    for (int i = 0; i < 200; i++) {
      byte[] sought = key(random.nextInt(2 * KEYS + 2));
      boolean inside =
          Arrays.compareUnsigned(from, sought) <= 0 && Arrays.compareUnsigned(sought, to) < 0;
      byte[] above = inside ? range.ceilingKey(sought) : null;
      byte[] below = inside ? range.lowerKey(sought) : null;
      if (!inside && Arrays.compareUnsigned(sought, from) < 0) {
        above = range.isEmpty() ? null : range.firstKey();
      } else if (!inside) {
        below = range.isEmpty() ? null : range.lastKey();
      }
      requireAt(live, live.seek(sought), above);
      requireAt(live, live.seekBelow(sought), below);
    }
  }

  @Test
  void holdsWhatAMapHoldsThroughSingleChangesAndBatches() {
    fill();
    requireHolds(null, model);
    for (int round = 0; round < 12; round++) {
      epochs.close();
      apply(batch(random.nextInt(2 * KEYS), 1 + round % 8, round % 4 * 3));
      for (int i = 0; i < 100; i++) {
        byte[] key = key(random.nextInt(2 * KEYS));
        if (random.nextBoolean()) {
          put(key, value());
        } else {
          delete(key);
        }
      }
    }
    requireHolds(null, model);
    for (int i = 0; i < 2 * KEYS; i++) {
      apply(new Batch(List.of(key(i)), Collections.singletonList(null)));
    }
    assertThat(model.keySet()).allMatch(key -> Arrays.compareUnsigned(key, key(2 * KEYS)) >= 0);
    requireHolds(null, model);
  }

  @Test
  void cursorsAndCountsAreThoseOfRanges() {
    fill();
    Node root = tree.root();
    for (int i = 0; i < 40; i++) {
      int low = random.nextInt(2 * KEYS);
      int high = low + 1 + random.nextInt(i % 2 == 0 ? 40 : 2 * KEYS - low + 2);
      NavigableMap<byte[], byte[]> range = model.subMap(key(low), true, key(high), false);
      requireSeeks(range, key(low), key(high));
      assertThat(tree.count(root, key(low), key(high))).isEqualTo(range.size());
      assertThat(tree.count(root, key(low), null)).isEqualTo(model.tailMap(key(low)).size());
      assertThat(tree.count(root, new byte[0], key(high)))
          .isEqualTo(model.headMap(key(high)).size());
      assertThat(tree.count(root, key(high), key(low))).isZero();
      assertThat(tree.count(root, key(low), key(low))).isZero();
    }
    assertThat(tree.count(root, new byte[0], null)).isEqualTo(KEYS);
    assertThat(tree.size().entries()).isEqualTo(KEYS);
    assertThat(tree.size().depth()).isEqualTo(3);
  }

  /// The answer is near: each child of a dirty node counts as the one in its middle, and leaves
  /// differ.
  @Test
  void cutsOfRangesAreNearTheirMiddle() {
    fill();
    epochs.close();
    assertThat(new RangeCut(pages, tree.root(), key(0), key(1)).middle()).isNull();
    for (int i = 0; i < 100; i++) {
      int low = random.nextInt(KEYS);
      int high = low + KEYS / 4 + random.nextInt(KEYS / 2);
      long entries = model.subMap(key(low), key(high)).size();
      RangeCut range = new RangeCut(pages, tree.root(), key(low), key(high));
      assertThat(range.entries()).isBetween(entries / 2, entries * 2);
      RangeCut.Cut cut = range.middle();
      assertThat(cut).isNotNull();
      byte[] separator = cut.separator();
      assertThat(Arrays.compareUnsigned(key(low), separator)).isNegative();
      assertThat(Arrays.compareUnsigned(separator, key(high))).isNegative();
      long below = model.subMap(key(low), separator).size();
      assertThat(below).isBetween(entries / 4, entries * 3 / 4);
      assertThat(cut.below() + cut.above()).isEqualTo(range.entries());
      assertThat(cut.below()).isBetween(below / 2, below * 2);
    }
  }

  /// Whole leaves count exactly: no separator is nearer to the middle than the one that is found.
  @Test
  void cutsBetweenSeparatorsAreExact() {
    for (int i = 0; i < 400; i++) {
      put(key(i * 27 % 400), value());
    }
    Branches branches = ((Inner) tree.root()).branches();
    assertThat(branches).isNotNull();
    assertThat(tree.root().level()).isEqualTo(1);
    int separators = branches.count() - 1;
    for (int low = 0; low < separators; low++) {
      for (int high = low + 1; high < separators; high++) {
        requireExactCut(branches, low, high);
      }
    }
  }

  private void requireExactCut(Branches branches, int low, int high) {
    byte[] from = branches.separator(low);
    byte[] to = branches.separator(high);
    RangeCut range = new RangeCut(pages, tree.root(), from, to);
    long entries = model.subMap(from, to).size();
    assertThat(range.entries()).isEqualTo(entries);
    RangeCut.Cut cut = range.middle();
    if (high == low + 1) {
      assertThat(cut).as("one leaf").isNull();
      return;
    }
    assertThat(cut).isNotNull();
    assertThat(cut.below()).isEqualTo(model.subMap(from, cut.separator()).size());
    assertThat(cut.above()).isEqualTo(entries - cut.below());
    for (int i = low + 1; i < high; i++) {
      long below = model.subMap(from, branches.separator(i)).size();
      assertThat(Math.abs(cut.below() - entries / 2))
          .isLessThanOrEqualTo(Math.abs(below - entries / 2));
    }
  }

  private byte @Nullable [] firstChange(Node before, byte[] from, byte @Nullable [] to) {
    return TreeDiff.firstChange(
        tree, before, from, to, (_, was, is) -> Arrays.equals(was.bytes(), is.bytes()));
  }

  /// The first of the changes is found, whatever its kind, and only within the range.
  @Test
  void differencesAreThoseOfTheFirstChangeInTheRange() {
    fill();
    for (int round = 0; round < 60; round++) {
      long closed = epochs.close();
      epochs.hold(closed);
      Node before = tree.rootAt(closed);
      assertThat(before).isNotNull();
      assertThat(firstChange(before, new byte[0], null)).isNull();
      byte[] same = model.ceilingKey(key(random.nextInt(KEYS)));
      put(same, model.get(same).clone());
      assertThat(firstChange(before, new byte[0], null)).isNull();
      int number = random.nextInt(2 * KEYS);
      byte[] changed = key(number);
      if (round % 3 == 0 && model.containsKey(changed)) {
        delete(changed);
      } else {
        put(changed, new byte[200]);
      }
      assertThat(firstChange(before, new byte[0], null)).isEqualTo(changed);
      assertThat(firstChange(before, changed, key(number + 1))).isEqualTo(changed);
      assertThat(firstChange(before, new byte[0], changed)).isNull();
      assertThat(firstChange(before, key(number + 1), null)).isNull();
      epochs.release(closed);
    }
  }

  @Test
  void manyKeysAreReadAsEachAlone() {
    fill();
    for (int count : new int[] {0, 1, 31, 32, 33, 34, 64, 65, 200}) {
      byte[][] keys = new byte[count][];
      Arrays.setAll(keys, _ -> key(random.nextInt(2 * KEYS + 10)));
      List<byte @Nullable []> values = tree.getAll(null, keys);
      assertThat(values).hasSize(count);
      for (int i = 0; i < count; i++) {
        assertThat(values.get(i)).isEqualTo(model.get(keys[i]));
        assertThat(tree.contains(null, keys[i])).isEqualTo(model.containsKey(keys[i]));
        byte[][] taken = new byte[1][];
        assertThat(tree.tryGet(keys[i], value -> taken[0] = value)).isTrue();
        assertThat(taken[0]).isEqualTo(model.get(keys[i]));
      }
    }
  }

  /// What is held stays as it was; what nothing holds any more is gone.
  @Test
  void closedEpochsShowWhatTheyDid() {
    fill();
    epochs.hold(1);
    epochs.hold(1);
    NavigableMap<byte[], byte[]> before = new TreeMap<>(model);
    epochs.close();
    apply(batch(0, 40, 5));
    epochs.release(1);
    assertThat(epochs.live().newest()).isEqualTo(1);
    requireHolds(tree.rootAt(1), before);
    requireHolds(null, model);
    epochs.release(1);
    epochs.release(1);
    assertThat(epochs.live().newest()).isEqualTo(-1);
    tree.pruneRoots(epochs);
    assertThat(tree.rootAt(1)).isNull();
    assertThat(tree.rootAt(2)).isSameAs(tree.root());
  }
}
