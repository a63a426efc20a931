package io.varve.test.simulation;

import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Transaction;
import io.varve.test.Change;
import io.varve.test.Model;
import io.varve.test.simulation.Calls.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Steps that read a space which one actor alone changes, in every way there is, of the live space,
/// a snapshot or a transaction: so it is known exactly what each must give.
final class ExactReads {
  private static final Decoder<byte[]> COPY = value -> value.toArray(ValueLayout.JAVA_BYTE);
  private static final int MOVES_MAX = 12;

  private final Calls calls;
  private final Choices choices;
  private final String name;

  /// @param owner the number of the actor
  ExactReads(Calls calls, Choices choices, int owner) {
    this.calls = calls;
    this.choices = choices;
    this.name = "own-" + owner;
  }

  /// One source to read from.
  private interface Source {
    byte @Nullable [] get(byte[] key);

    byte @Nullable [] decoded(byte[] key);

    List<byte @Nullable []> getAll(List<byte[]> keys);

    boolean contains(byte[] key);

    Cursor cursor(Range range);

    Iterable<Entry> scan(Range range);

    long count(Range range);
  }

  private record Live(Space space) implements Source {
    @Override
    public byte @Nullable [] get(byte[] key) {
      return space.get(key);
    }

    @Override
    public byte @Nullable [] decoded(byte[] key) {
      return space.get(key, COPY);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      return space.getAll(keys);
    }

    @Override
    public boolean contains(byte[] key) {
      return space.contains(key);
    }

    @Override
    public Cursor cursor(Range range) {
      return space.cursor(range);
    }

    @Override
    public Iterable<Entry> scan(Range range) {
      return space.scan(range);
    }

    @Override
    public long count(Range range) {
      return space.count(range);
    }
  }

  private record Viewed(ReadView view, Space space) implements Source {
    @Override
    public byte @Nullable [] get(byte[] key) {
      return view.get(space, key);
    }

    @Override
    public byte @Nullable [] decoded(byte[] key) {
      return view.get(space, key, COPY);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      return view.getAll(space, keys);
    }

    @Override
    public boolean contains(byte[] key) {
      return view.contains(space, key);
    }

    @Override
    public Cursor cursor(Range range) {
      return view.cursor(space, range);
    }

    @Override
    public Iterable<Entry> scan(Range range) {
      return view.scan(space, range);
    }

    @Override
    public long count(Range range) {
      return view.count(space, range);
    }
  }

  void step() {
    Space space = calls.call("space", Effect.NONE, () -> calls.store().space(name)).result();
    NavigableMap<byte[], byte[]> entries =
        within(calls.timeline().now().entries(name), Range.all());
    switch (choices.number(8)) {
      case 0, 1 -> put(space);
      case 2 -> calls.call("own delete", deleting(), () -> space.delete(deleted));
      case 3, 4 -> look("own read", () -> read(new Live(space), entries));
      case 5 -> look("own space", () -> describe(space, entries));
      case 6 -> snapshot(space, entries);
      default -> transaction(space, entries);
    }
  }

  private byte[] deleted = {};

  private Effect deleting() {
    deleted = choices.key();
    return _ -> List.of(new Change.Delete(name, deleted));
  }

  private void put(Space space) {
    byte[] key = choices.key();
    byte[] value = choices.value();
    calls.call(
        "own put", _ -> List.of(new Change.Put(name, key, value)), () -> space.put(key, value));
  }

  private void look(String what, Runnable work) {
    calls.call(
        what,
        Effect.NONE,
        () -> {
          work.run();
          return true;
        });
  }

  private void snapshot(Space space, NavigableMap<byte[], byte[]> entries) {
    look(
        "own snapshot",
        () -> {
          try (Snapshot snapshot = calls.store().snapshot()) {
            require(!snapshot.age().isNegative(), "age");
            calls.threads().giveTurn();
            if (choices.oneIn(2)) {
              read(new Viewed(snapshot, space), entries);
            } else {
              spliterate(snapshot, space, entries);
            }
          }
        });
  }

  private void spliterate(Snapshot snapshot, Space space, NavigableMap<byte[], byte[]> entries) {
    Range range = choices.range();
    var expected = within(entries, range);
    switch (choices.number(3)) {
      case 0 -> {
        try (var stream = snapshot.stream(space, range)) {
          requireSame(stream.toList(), expected, "stream of a snapshot");
        }
      }
      case 1 -> {
        List<Entry> found = new ArrayList<>();
        split(snapshot.spliterator(space, range), found);
        requireSame(found, expected, "spliterator");
      }
      default -> {
        List<Entry> found = new ArrayList<>();
        split(snapshot.spliterator(space, range, Cursor::entry), found);
        requireSame(found, expected, "spliterator of a function");
      }
    }
  }

  /// All that a spliterator gives, split here and there.
  private void split(Spliterator<Entry> all, List<Entry> found) {
    Spliterator<Entry> first = choices.oneIn(2) ? all.trySplit() : null;
    if (first != null) {
      split(first, found);
    }
    all.forEachRemaining(found::add);
  }

  /// A transaction that changes keys of its own, reads them, and commits by default or is closed.
  private void transaction(Space space, NavigableMap<byte[], byte[]> entries) {
    NavigableMap<byte[], byte[]> own = new TreeMap<>(Arrays::compareUnsigned);
    own.putAll(entries);
    List<Change> changes = new ArrayList<>();
    Transaction begun = calls.call("own begin", Effect.NONE, () -> calls.store().begin()).result();
    try (Transaction transaction = begun) {
      look(
          "own body",
          () -> {
            for (int i = choices.number(4); i > 0; i--) {
              byte[] key = choices.key();
              if (choices.oneIn(3)) {
                transaction.delete(space, key);
                own.remove(key);
                changes.add(new Change.Delete(name, key));
              } else {
                byte[] value = choices.value();
                transaction.put(space, key, value);
                own.put(key, value);
                changes.add(new Change.Put(name, key, value));
              }
            }
            read(new Viewed(transaction, space), own);
          });
      Durability byDefault = calls.store().options().durability();
      if (!choices.oneIn(4)) {
        calls.commit("own commit", byDefault, _ -> changes, transaction::commit);
      }
    }
  }

  // --- what there is to read ------------------------------------------------------------------

  private void read(Source source, NavigableMap<byte[], byte[]> entries) {
    byte[] key = choices.key();
    Range range = choices.range();
    switch (choices.number(8)) {
      case 0 -> require(Arrays.equals(source.get(key), entries.get(key)), "get");
      case 1 -> require(Arrays.equals(source.decoded(key), entries.get(key)), "get decoded");
      case 2 -> getAll(source, entries);
      case 3 -> require(source.contains(key) == entries.containsKey(key), "contains");
      case 4 -> require(source.count(range) == within(entries, range).size(), "count");
      case 5 -> {
        List<Entry> found = new ArrayList<>();
        source.scan(range).forEach(found::add);
        requireSame(found, within(entries, range), "scan");
      }
      default -> {
        try (Cursor cursor = source.cursor(range)) {
          move(cursor, within(entries, range));
        }
      }
    }
  }

  private void getAll(Source source, NavigableMap<byte[], byte[]> entries) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = choices.number(6); i >= 0; i--) {
      keys.add(choices.key());
    }
    List<byte @Nullable []> found = source.getAll(keys);
    for (int i = 0; i < keys.size(); i++) {
      require(Arrays.equals(found.get(i), entries.get(keys.get(i))), "getAll");
    }
  }

  /// Moves at random, and looks at each entry in some way.
  private void move(Cursor cursor, NavigableMap<byte[], byte[]> entries) {
    Map.@Nullable Entry<byte[], byte[]> current = null;
    for (int i = 0; i < MOVES_MAX; i++) {
      Move move = current == null ? standing(entries) : onEntry(entries, current.getKey());
      Map.@Nullable Entry<byte[], byte[]> expected = move.expected;
      boolean found = move.made.by(cursor);
      require(found == (expected != null), "move of a cursor");
      current = expected;
      if (current != null) {
        look(cursor, current.getKey(), current.getValue());
      }
    }
  }

  /// A move of a cursor, and where it must end.
  private record Move(Moving made, Map.@Nullable Entry<byte[], byte[]> expected) {}

  private interface Moving {
    boolean by(Cursor cursor);
  }

  /// A move that depends on no entry.
  private Move standing(NavigableMap<byte[], byte[]> entries) {
    byte[] key = choices.key();
    return switch (choices.number(4)) {
      case 0 -> new Move(Cursor::first, entries.firstEntry());
      case 1 -> new Move(Cursor::last, entries.lastEntry());
      case 2 -> new Move(cursor -> cursor.seek(key), entries.ceilingEntry(key));
      default -> new Move(cursor -> cursor.seekFloor(key), entries.floorEntry(key));
    };
  }

  private Move onEntry(NavigableMap<byte[], byte[]> entries, byte[] current) {
    return switch (choices.number(4)) {
      case 0 -> new Move(Cursor::next, entries.higherEntry(current));
      case 1 -> new Move(Cursor::previous, entries.lowerEntry(current));
      default -> standing(entries);
    };
  }

  private void look(Cursor cursor, byte[] key, byte[] value) {
    boolean same =
        switch (choices.number(7)) {
          case 0 -> Arrays.equals(cursor.key(), key) && Arrays.equals(cursor.value(), value);
          case 1 -> {
            Entry entry = cursor.entry();
            yield Arrays.equals(entry.key(), key) && Arrays.equals(entry.value(), value);
          }
          case 2 -> copied(key, () -> cursor.readKey(new byte[0]), cursor::readKey);
          case 3 -> copied(value, () -> cursor.readValue(new byte[0]), cursor::readValue);
          case 4 -> cursor.valueLength() == value.length;
          case 5 -> Arrays.equals(cursor.valueSegment().toArray(ValueLayout.JAVA_BYTE), value);
          default -> Arrays.equals(bytes(cursor.valueStream()), value);
        };
    require(same, "entry of a cursor");
  }

  private interface Copying {
    int into(byte[] target);
  }

  private static boolean copied(byte[] expected, Supplier<Integer> length, Copying copying) {
    byte[] target = new byte[length.get()];
    return copying.into(target) == expected.length && Arrays.equals(target, expected);
  }

  private static byte[] bytes(InputStream stream) {
    try (stream) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What a live space reports of itself.
  private void describe(Space space, NavigableMap<byte[], byte[]> entries) {
    Range range = choices.range();
    require(space.name().equals(name) && space.store().options() != null, "name");
    require(space.approximateBytes(range) >= 0, "approximateBytes");
    require(space.statistics().entries() == entries.size(), "statistics of a space");
    require(calls.store().spaceNames().contains(name), "spaceNames");
    try (var stream = space.stream(range)) {
      requireSame(stream.toList(), within(entries, range), "stream of a space");
    }
  }

  private static NavigableMap<byte[], byte[]> within(
      NavigableMap<byte[], byte[]> entries, Range range) {
    NavigableMap<byte[], byte[]> within = new TreeMap<>(Arrays::compareUnsigned);
    entries.forEach((key, value) -> {
      if (range.contains(key)) {
        within.put(key, value);
      }
    });
    return within;
  }

  private void requireSame(List<Entry> found, NavigableMap<byte[], byte[]> expected, String what) {
    Model there = new Model();
    Model wanted = new Model();
    found.forEach(entry -> there.put(name, entry.key(), entry.value()));
    expected.forEach((key, value) -> wanted.put(name, key, value));
    wanted.requireEqual(there, what + " of a space that no other actor changes");
    require(found.size() == expected.size(), what);
  }

  private void require(boolean right, String what) {
    if (!right && !calls.isOver()) {
      throw new AssertionError("a space that no other actor changes shows otherwise: call=" + what);
    }
  }
}
