package io.varve.internal.txn;

import io.varve.Range;
import io.varve.internal.cache.Pages;
import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.BatchPlan;
import io.varve.internal.tree.Changes;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.wal.RecordSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// What a transaction writes to one space. Kept in the order given, and sorted when the commit
/// needs it; an index by key exists once the transaction reads what it wrote.
///
/// For one thread at a time.
final class SpaceWrites implements Changes {
  private final SpaceCore space;
  private final @Nullable HeldMemory held;

  /// The indexes that the space had when the first write came (INDEXES-2).
  private final @Nullable Indexing indexing;

  /// The writes in the order given. A value is what the leaf will hold, or null to delete.
  private byte[][] keys = new byte[16][];

  private byte[] @Nullable [] values = new byte[16][];
  private int[] tags = new int[16];
  private int given;

  /// The contents that the log holds of large values; null until there is one.
  private byte @Nullable [] @Nullable [] contents;

  /// Values whose images are in the log already.
  private final List<NewValue> underWay = new ArrayList<>();

  /// The writes in key order, the last of each key alone; null until sorted.
  private int @Nullable [] order;

  /// What keys must hold for the commit to take place; null if that is nothing.
  private @Nullable Map<byte[], Optional<StoredValue>> expected;

  private int pointDeletes;
  private int rangeDeletes;
  private int size;
  private boolean ascending = true;
  private @Nullable NavigableMap<byte[], KeyWrite> index;

  /// @param held counts what is kept here, or null for the writes of one change
  SpaceWrites(SpaceCore space, @Nullable HeldMemory held) {
    this.space = space;
    this.held = held;
    this.indexing = space.indexes().indexing();
  }

  SpaceCore space() {
    return space;
  }

  @Nullable Indexing indexing() {
    return indexing;
  }

  /// The workspace in which the index is built whose entries the space has. Null if it has none of
  /// an index, or that is not being built; or if the build has ended since, so that these writes
  /// are refused (WORKSPACE-2).
  ///
  /// @param spaces finds a space by its id
  @Nullable SpaceCore workspace(IntFunction<@Nullable SpaceCore> spaces) {
    Integer id = indexing == null ? null : indexing.workspace();
    return id == null ? null : spaces.apply(id);
  }

  boolean isEmpty() {
    return given == 0;
  }

  /// How many writes were given.
  int count() {
    return given;
  }

  /// Whether these writes were made with those indexes of the space.
  @SuppressWarnings("ReferenceEquality") // another set of indexes is another object
  boolean hasIndexes(@Nullable Indexing seen) {
    return indexing == seen;
  }

  /// Whether the space still has the indexes that these writes were made with. Inside the gate.
  boolean hasSameIndexes() {
    return space.indexes().areStill(indexing);
  }

  /// Lets the commit take place only if a key, which is written here, holds that value.
  ///
  /// @param stored null for an absent key
  void expect(byte[] key, @Nullable StoredValue stored) {
    if (expected == null) {
      expected = new TreeMap<>(Arrays::compareUnsigned);
    }
    expected.put(key, Optional.ofNullable(stored));
  }

  /// Whether the keys hold what is expected of them. Under the lock of the space, between the
  /// preparation and the change.
  boolean isAsExpected(BatchPlan plan) {
    if (expected == null) {
      return true;
    }
    for (int i = 0; i < size; i++) {
      Optional<StoredValue> value = expected.get(key(i));
      if (value != null && !value.equals(Optional.ofNullable(plan.stored(i, key(i))))) {
        return false;
      }
    }
    return true;
  }

  /// Adds a put of an inline value. The arrays belong to this object from now on.
  void put(byte[] key, byte[] value) {
    countPut(key, value.length);
    add(key, value, value.length);
    if (index != null) {
      index(index, key, NewValue.inline(value), given - 1);
    }
  }

  /// Adds a put of a large value.
  void putLarge(byte[] key, NewValue value) {
    byte[] content = value.content();
    add(key, value.stored().bytes(), value.tag());
    if (content != null) {
      if (contents == null) {
        contents = new byte[keys.length][];
      }
      contents[given - 1] = content;
    }
    if (value.underWay() != null) {
      underWay.add(value);
    }
    // Once its extents are known here: if that is refused, the end gives them back.
    countPut(key, value.stored().bytes().length + (content == null ? 0 : content.length));
    if (index != null) {
      index(index, key, value, given - 1);
    }
  }

  /// Notes that the transaction was applied, or abandoned.
  void end() {
    underWay.forEach(NewValue::end);
  }

  /// Adds a delete.
  void delete(byte[] key) {
    if (held != null) {
      held.delete(key.length);
    }
    pointDeletes++;
    addDelete(key);
  }

  /// Adds deletes of keys that are next to each other in the space, and that the caller counts.
  void deleteRange(List<byte[]> inOrder) {
    rangeDeletes++;
    inOrder.forEach(this::addDelete);
  }

  private void countPut(byte[] key, int valueBytes) {
    if (held != null) {
      held.put(key.length, valueBytes);
    }
  }

  private void addDelete(byte[] key) {
    add(key, null, 0);
    if (index != null) {
      index(index, key, null, given - 1);
    }
  }

  private void index(
      NavigableMap<byte[], KeyWrite> index, byte[] key, @Nullable NewValue value, int number) {
    if (held != null) {
      held.indexed();
    }
    index.compute(key, (_, before) -> new KeyWrite(value, number, before));
  }

  private void add(byte[] key, byte @Nullable [] value, int tag) {
    if (given == keys.length) {
      grow();
    }
    ascending &= given == 0 || Arrays.compareUnsigned(keys[given - 1], key) < 0;
    keys[given] = key;
    values[given] = value;
    tags[given++] = tag;
  }

  private void grow() {
    int length = 2 * given;
    keys = Arrays.copyOf(keys, length);
    values = Arrays.copyOf(values, length);
    tags = Arrays.copyOf(tags, length);
    if (contents != null) {
      contents = Arrays.copyOf(contents, length);
    }
  }

  private @Nullable NewValue newValue(int at) {
    byte[] value = values[at];
    return value == null
        ? null
        : new NewValue(new StoredValue(value, tags[at] != value.length), logged(at, value), null);
  }

  /// What the log holds of a put: the whole value, or null for the reference to a large one.
  private byte @Nullable [] logged(int at, byte[] value) {
    if (tags[at] == value.length) {
      return value;
    }
    return contents == null ? null : contents[at];
  }

  /// The writes by key: the last of each, and those before it.
  NavigableMap<byte[], KeyWrite> index() {
    NavigableMap<byte[], KeyWrite> present = index;
    if (present == null) {
      present = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < given; i++) {
        index(present, keys[i], newValue(i), i);
      }
      index = present;
    }
    return present;
  }

  /// A cursor that shows these writes over others, those in its range.
  ///
  /// @param count only the first ones are shown, and none that comes later
  OverlayCursor over(EntryCursor base, Range range, int count) {
    NavigableMap<byte[], KeyWrite> all = index();
    byte[] to = range.to();
    NavigableMap<byte[], KeyWrite> within =
        to == null ? all.tailMap(range.from(), true) : all.subMap(range.from(), true, to, false);
    return new OverlayCursor(base, within, Math.min(count, given), space.tree().pages().file());
  }

  /// Whether a write to a key is after the first ones to the space.
  boolean isWrittenSince(int count, byte[] key) {
    KeyWrite write = count < given ? index().get(key) : null;
    return write != null && write.number() >= count;
  }

  /// Brings the writes into key order, the last of each key alone. None may be added after that.
  void sort() {
    if (ascending) {
      size = given;
      return;
    }
    int[] sorted = KeySort.order(keys, given);
    int[] replaced = new int[given];
    int kept = 0;
    for (int i = 0; i < given; i++) {
      boolean last = i + 1 == given || !Arrays.equals(keys[sorted[i]], keys[sorted[i + 1]]);
      if (last) {
        sorted[kept++] = sorted[i];
      } else {
        replaced[i - kept] = sorted[i];
      }
    }
    order = sorted;
    size = kept;
    for (int i = 0; i < given - kept; i++) {
      discard(replaced[i]); // now that nothing else gives it back if this fails
    }
  }

  private int at(int i) {
    return order == null ? i : order[i];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public byte[] key(int i) {
    return keys[at(i)];
  }

  @Override
  public byte @Nullable [] value(int i) {
    return values[at(i)];
  }

  @Override
  public int tag(int i) {
    return tags[at(i)];
  }

  /// Announces the changes to the watches of the space, after the preparation.
  void tell(BatchPlan plan) {
    Watches watches = space.watches();
    if (!watches.begin()) {
      return;
    }
    for (int i = 0; i < size; i++) {
      byte[] value = value(i);
      byte[] content = value == null ? null : logged(at(i), value);
      watches.add(key(i), plan.stored(i, key(i)), value != null, content);
    }
    watches.end();
  }

  /// Frees the extents of large values, which nothing will refer to.
  void discard() {
    if (order == null) {
      for (int i = 0; i < given; i++) {
        discard(i);
      }
    } else {
      for (int i = 0; i < size; i++) {
        discard(order[i]);
      }
    }
  }

  private void discard(int at) {
    byte[] value = values[at];
    if (value != null && tags[at] != value.length) {
      space.largeValues().discard(value);
    }
  }

  /// Whether any of these writes puts something.
  boolean grows() {
    for (int i = 0; i < size; i++) {
      if (values[at(i)] != null) {
        return true;
      }
    }
    return false;
  }

  /// Whether these writes change copies of leaves, as all do but ranges of deletes.
  boolean copiesLeaves() {
    return pointDeletes > 0 || grows();
  }

  /// The most that these writes add to the pages that are to be written: what they put, and a leaf
  /// for each put and delete. Of a range of deletes only the leaves at its ends stay.
  long dirtyingBytes() {
    Pages pages = space.tree().pages();
    long bytes = 0;
    long leaves = pointDeletes + 2L * rangeDeletes;
    for (int i = 0; i < size; i++) {
      byte[] value = values[at(i)];
      if (value != null) {
        bytes += 2L * LeafPage.entryBytes(keys[at(i)].length, value.length);
        leaves++;
      }
    }
    // There are no more leaves than that, however many writes there are.
    long all = pages.file().extents().endBytes() + pages.cache().dirtyBytes();
    return bytes + Math.min(leaves * pages.pageBytes(), all);
  }

  long bodyBytes() {
    long bytes = 0;
    for (int i = 0; i < size; i++) {
      int at = at(i);
      byte[] value = values[at];
      if (value == null) {
        bytes += LogRecord.deleteBytes(space.id(), keys[at]);
      } else {
        byte[] logged = logged(at, value);
        bytes +=
            logged == null
                ? LogRecord.putLargeBytes(space.id(), keys[at], value)
                : LogRecord.putBytes(space.id(), keys[at], logged);
      }
    }
    return bytes;
  }

  void write(RecordSink sink) {
    for (int i = 0; i < size; i++) {
      int at = at(i);
      byte[] value = values[at];
      if (value == null) {
        LogRecord.delete(sink, space.id(), keys[at]);
      } else {
        byte[] logged = logged(at, value);
        if (logged == null) {
          LogRecord.putLarge(sink, space.id(), keys[at], value);
        } else {
          LogRecord.put(sink, space.id(), keys[at], logged);
        }
      }
    }
  }
}
