package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.Visibility;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One thread's random calls on a store, each compared with what a model answers.
final class ModelRun {
  private static final List<String> SPACES = List.of("a", "b", "space of a longer name");
  private static final int SNAPSHOTS_MAX = 4;
  private static final int CURSOR_MOVES_MAX = 30;

  private final SplittableRandom random;
  private final RandomKeys keys;
  private final @Nullable Supplier<Store> opener;
  private final List<Durability> durabilities;
  private final List<Pinned> pinned = new ArrayList<>();
  private Model model = new Model();
  private Store store;

  /// A snapshot and what it must show for as long as it is open.
  private record Pinned(Snapshot snapshot, Model model, List<String> spaces) {}

  /// @param opener opens the store again after a close, or gives null if its content ends with it
  ModelRun(
      SplittableRandom random,
      RandomKeys keys,
      Store store,
      @Nullable Supplier<Store> opener,
      List<Durability> durabilities) {
    this.random = random;
    this.keys = keys;
    this.store = store;
    this.opener = opener;
    this.durabilities = durabilities;
  }

  Store store() {
    return store;
  }

  void run(int steps) throws IOException {
    for (int step = 0; step < steps; step++) {
      int dice = random.nextInt(1000);
      if (dice < 480) {
        change();
      } else if (dice < 620) {
        transact();
      } else if (dice < 940) {
        readLive();
      } else if (dice < 980) {
        usePinned();
      } else {
        maintain();
      }
    }
    compareAll();
    store.verify().requireSound();
  }

  private Space pickSpace() {
    return store.space(SPACES.get(random.nextInt(SPACES.size())));
  }

  private Durability durability() {
    return durabilities.get(random.nextInt(durabilities.size()));
  }

  private void put(Space space, byte[] key, byte[] value) {
    model.put(space.name(), key, value);
  }

  // Changes.

  private void change() throws IOException {
    Space space = pickSpace();
    String name = space.name();
    byte[] key = keys.key();
    byte[] value = keys.value();
    byte[] old = model.get(name, key);
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> {
        Commit before = store.lastCommit();
        Commit lsn = space.with(durability()).put(key, value);
        assertThat(lsn).isGreaterThan(before).isEqualTo(store.lastCommit());
        put(space, key, value);
      }
      case 4, 5 -> {
        space.async().put(key, value);
        put(space, key, value);
      }
      case 6 -> {
        space.put(key, new ByteArrayInputStream(value), value.length);
        put(space, key, value);
      }
      case 7 -> {
        assertThat(space.getAndPut(key, value)).isEqualTo(old);
        put(space, key, value);
      }
      case 8 -> {
        assertThat(space.putIfAbsent(key, value)).isEqualTo(old);
        put(space, key, old == null ? value : old);
      }
      case 9 -> compareAndSet(space, key, old);
      case 10 -> merge(space, key, value, old);
      case 11, 12 -> {
        space.with(durability()).delete(key);
        model.delete(name, key);
      }
      case 13 -> {
        space.async().delete(key);
        model.delete(name, key);
      }
      case 14 -> {
        assertThat(space.getAndDelete(key)).isEqualTo(old);
        model.delete(name, key);
      }
      default -> {
        Range range = random.nextInt(10) == 0 ? keys.range() : keys.shortRange();
        long expected = model.entries(name, range).size();
        assertThat(space.deleteRange(range)).isEqualTo(expected);
        model.apply(new Change.DeleteRange(name, range));
      }
    }
  }

  private void compareAndSet(Space space, byte[] key, byte @Nullable [] old) {
    byte[] expected = random.nextInt(3) == 0 ? keys.value() : old;
    byte[] update = random.nextInt(3) == 0 ? null : keys.value();
    boolean matches = Arrays.equals(expected, old);
    assertThat(space.compareAndSet(key, expected, update)).isEqualTo(matches);
    if (matches) {
      set(space, key, update);
    }
  }

  private void merge(Space space, byte[] key, byte[] value, byte @Nullable [] old) {
    boolean delete = random.nextInt(3) == 0;
    byte[] expected = old == null ? value : delete ? null : joined(old, value);
    byte[] merged = space.merge(key, value, (there, given) -> delete ? null : joined(there, given));
    assertThat(merged).isEqualTo(expected);
    set(space, key, expected);
  }

  /// The ends of both, so that repeated merges do not grow without bound.
  private static byte[] joined(byte[] left, byte[] right) {
    byte[] joined = Arrays.copyOf(left, Math.min(left.length, 100) + Math.min(right.length, 100));
    System.arraycopy(right, 0, joined, Math.min(left.length, 100), Math.min(right.length, 100));
    return joined;
  }

  private void set(Space space, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      model.delete(space.name(), key);
    } else {
      put(space, key, value);
    }
  }

  private void transact() throws IOException {
    for (String name : SPACES) {
      store.space(name); // its making is a commit of its own
    }
    Model after = model.copy();
    try (Transaction transaction = store.begin()) {
      for (int i = random.nextInt(20); i > 0; i--) {
        changeWithin(transaction, after);
        if (random.nextInt(4) == 0) {
          read(transaction, after, pickSpace());
        }
      }
      switch (random.nextInt(5)) {
        case 0 -> {
          return; // closed without a commit
        }
        case 1 -> transaction.commitAsync(durability());
        case 2 -> transaction.commit();
        default -> transaction.commit(durability());
      }
    }
    model = after;
  }

  private void changeWithin(Transaction transaction, Model after) {
    Space space = pickSpace();
    byte[] key = keys.key();
    switch (random.nextInt(5)) {
      case 0 -> {
        transaction.delete(space, key);
        after.delete(space.name(), key);
      }
      case 1 -> {
        Range range = keys.shortRange();
        assertThat(transaction.deleteRange(space, range))
            .isEqualTo(after.entries(space.name(), range).size());
        after.apply(new Change.DeleteRange(space.name(), range));
      }
      default -> {
        byte[] value = keys.value();
        transaction.put(space, key, value);
        after.put(space.name(), key, value);
      }
    }
  }

  // Reads.

  private void readLive() throws IOException {
    Space space = pickSpace();
    byte[] key = keys.key();
    byte[] expected = model.get(space.name(), key);
    switch (random.nextInt(8)) {
      case 0, 1 -> assertThat(space.get(key)).isEqualTo(expected);
      case 2 -> assertThat(space.get(key, ModelRun::toBytes)).isEqualTo(expected);
      case 3 -> assertThat(space.contains(key)).isEqualTo(expected != null);
      case 4 -> {
        try (InputStream stream = space.read(key)) {
          assertThat(stream == null ? null : stream.readAllBytes()).isEqualTo(expected);
        }
      }
      case 5 -> {
        List<byte[]> several = List.of(key, keys.key(), keys.key(), keys.key(), key);
        List<byte[]> found = space.getAll(several);
        for (int i = 0; i < several.size(); i++) {
          assertThat(found.get(i)).isEqualTo(model.get(space.name(), several.get(i)));
        }
      }
      case 6 -> {
        Range range = keys.range();
        NavigableMap<byte[], byte[]> entries = model.entries(space.name(), range);
        assertThat(space.count(range)).isEqualTo(entries.size());
        assertThat(space.approximateBytes(range)).isNotNegative();
        requireScan(space.scan(range), entries);
      }
      default -> {
        Range range = keys.range();
        try (Cursor cursor = space.cursor(range)) {
          walk(cursor, model.entries(space.name(), range));
        }
      }
    }
  }

  private void read(ReadView view, Model expected, Space space) throws IOException {
    byte[] key = keys.key();
    byte[] value = expected.get(space.name(), key);
    assertThat(view.get(space, key)).isEqualTo(value);
    assertThat(view.get(space, key, ModelRun::toBytes)).isEqualTo(value);
    assertThat(view.contains(space, key)).isEqualTo(value != null);
    byte[] other = keys.key();
    List<byte[]> all = view.getAll(space, List.of(key, other));
    assertThat(all.get(0)).isEqualTo(value);
    assertThat(all.get(1)).isEqualTo(expected.get(space.name(), other));
    Range range = keys.range();
    NavigableMap<byte[], byte[]> entries = expected.entries(space.name(), range);
    assertThat(view.count(space, range)).isEqualTo(entries.size());
    requireScan(view.scan(space, range), entries);
    try (Cursor cursor = view.cursor(space, range)) {
      walk(cursor, entries);
    }
  }

  private static byte[] toBytes(MemorySegment value) {
    return value.toArray(ValueLayout.JAVA_BYTE);
  }

  private static void requireScan(Iterable<Entry> scan, NavigableMap<byte[], byte[]> entries) {
    var expected = entries.entrySet().iterator();
    for (Entry entry : scan) {
      assertThat(expected.hasNext()).as("scan gives more than is there").isTrue();
      Map.Entry<byte[], byte[]> next = expected.next();
      assertThat(entry.key()).isEqualTo(next.getKey());
      assertThat(entry.value()).isEqualTo(next.getValue());
    }
    assertThat(expected.hasNext()).as("scan ends early").isFalse();
  }

  private void walk(Cursor cursor, NavigableMap<byte[], byte[]> entries) throws IOException {
    ModelCursor expected = new ModelCursor(entries);
    for (int move = random.nextInt(CURSOR_MOVES_MAX); move > 0; move--) {
      byte[] key = keys.key();
      switch (random.nextInt(10)) {
        case 0 -> assertThat(cursor.first()).isEqualTo(expected.first());
        case 1 -> assertThat(cursor.last()).isEqualTo(expected.last());
        case 2 -> assertThat(cursor.seek(key)).isEqualTo(expected.seek(key));
        case 3 -> assertThat(cursor.seekFloor(key)).isEqualTo(expected.seekFloor(key));
        case 4, 5, 6 -> assertThat(cursor.next()).isEqualTo(expected.next());
        default -> assertThat(cursor.previous()).isEqualTo(expected.previous());
      }
      if (expected.isOnEntry()) {
        requireAt(cursor, expected.entry());
      }
    }
  }

  private void requireAt(Cursor cursor, Entry expected) throws IOException {
    assertThat(cursor.key()).isEqualTo(expected.key());
    switch (random.nextInt(5)) {
      case 0 -> assertThat(cursor.entry()).isEqualTo(expected);
      case 1 -> assertThat(toBytes(cursor.valueSegment())).isEqualTo(expected.value());
      case 2 -> {
        try (InputStream stream = cursor.valueStream()) {
          assertThat(stream.readAllBytes()).isEqualTo(expected.value());
        }
      }
      case 3 -> {
        byte[] target = new byte[random.nextInt(50)];
        assertThat(cursor.readKey(target)).isEqualTo(expected.key().length);
        requireStart(target, expected.key());
        target = new byte[random.nextInt(50)];
        assertThat(cursor.readValue(target)).isEqualTo(expected.value().length);
        requireStart(target, expected.value());
      }
      default -> assertThat(cursor.value()).isEqualTo(expected.value());
    }
    assertThat(cursor.valueLength()).isEqualTo(expected.value().length);
  }

  private static void requireStart(byte[] target, byte[] expected) {
    int length = Math.min(target.length, expected.length);
    assertThat(Arrays.copyOf(target, length)).isEqualTo(Arrays.copyOf(expected, length));
  }

  // Snapshots.

  private void usePinned() throws IOException {
    if (pinned.isEmpty() || (pinned.size() < SNAPSHOTS_MAX && random.nextInt(3) == 0)) {
      Visibility visibility = random.nextInt(4) == 0 ? Visibility.DURABLE : Visibility.APPLIED;
      if (visibility == Visibility.DURABLE) {
        // What it may leave out is not for this test to say; so let there be nothing.
        store.awaitDurable(store.lastCommit());
      }
      Snapshot snapshot = store.snapshot(visibility);
      assertThat(snapshot.lastCommit()).isEqualTo(store.lastCommit());
      pinned.add(new Pinned(snapshot, model.copy(), List.copyOf(store.spaceNames())));
      assertThat(store.statistics().snapshots().open()).hasSizeGreaterThanOrEqualTo(pinned.size());
      return;
    }
    Pinned one = pinned.get(random.nextInt(pinned.size()));
    for (String name : one.spaces) {
      Space space = store.findSpace(name);
      if (space != null) {
        read(one.snapshot, one.model, space);
      }
    }
    if (random.nextBoolean()) {
      one.snapshot.close();
      pinned.remove(one);
    }
  }

  private void closePinned() {
    pinned.forEach(one -> one.snapshot.close());
    pinned.clear();
  }

  // The store as a whole.

  private void maintain() {
    switch (random.nextInt(10)) {
      case 0, 1 -> store.checkpoint();
      case 2 -> assertThat(store.compact()).isNotNegative();
      case 3 -> store.verify().requireSound();
      case 4 -> store.awaitDurable(store.lastCommit());
      case 5 -> drop(SPACES.get(random.nextInt(SPACES.size())));
      case 6, 7 -> reopen();
      default -> compareAll();
    }
  }

  private void drop(String name) {
    closePinned(); // a snapshot of a dropped space is a case for a test of its own
    boolean there = store.spaceNames().contains(name);
    assertThat(store.dropSpace(name)).isEqualTo(there);
    assertThat(store.findSpace(name)).isNull();
    model.apply(new Change.DropSpace(name));
  }

  private void reopen() {
    if (opener == null) {
      return;
    }
    if (random.nextBoolean()) {
      closePinned();
    }
    pinned.clear(); // those left open end with the store
    Commit last = store.lastCommit();
    store.close();
    store = opener.get();
    assertThat(store.lastCommit()).isGreaterThanOrEqualTo(last);
    compareAll();
  }

  private void compareAll() {
    model.requireEqual(Model.of(store), "store against model");
    assertThat(store.spaceNames()).containsAll(model.spaceNames());
  }
}
