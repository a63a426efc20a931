package io.varve.test.simulation;

import io.varve.Cursor;
import io.varve.IndexedSpace;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.UniqueIndexException;
import io.varve.spi.SpaceIndex;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Effect;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Steps that use a space with indexes which one actor alone changes: so it is known exactly what
/// the indexes must have, and which changes a unique one must refuse. Others commit, and crash the
/// store, concurrently; what a crash leaves must agree as well.
final class Indexes {
  private static final int MANY = 1;
  private static final int ONE = 2;
  private static final String MANY_NAME = "many";
  private static final String ONE_NAME = "one";
  private static final String OTHER_NAME = "other";

  private final Calls calls;
  private final Choices choices;
  private final String name;

  /// @param owner the number of the actor
  Indexes(Calls calls, Choices choices, int owner) {
    this.calls = calls;
    this.choices = choices;
    this.name = "indexed-" + owner;
  }

  /// Values by a hash: two prefixes each in an index for many, and some values in a unique one.
  private record Hashed(String name, int kind) implements SpaceIndex {
    @Override
    public String id() {
      return "hashed/" + kind;
    }

    @Override
    public boolean isUnique() {
      return kind == ONE;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      int hash = Arrays.hashCode(value);
      if (kind == MANY) {
        prefixes.accept(new byte[] {MANY, (byte) (hash & 7)});
        prefixes.accept(new byte[] {MANY, (byte) (hash >> 3 & 7)});
      } else if (hash % 3 == 0) {
        prefixes.accept(new byte[] {ONE, (byte) (hash & 31)});
      }
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return 2;
    }

    NavigableSet<byte[]> of(byte[] key, byte[] value) {
      NavigableSet<byte[]> prefixes = new TreeSet<>(Arrays::compareUnsigned);
      prefixes(key, value, prefixes::add);
      return prefixes;
    }
  }

  private static final Hashed FOR_MANY = new Hashed(MANY_NAME, MANY);
  private static final Hashed FOR_ONE = new Hashed(ONE_NAME, ONE);

  void step() {
    Space space = calls.call("space", Effect.NONE, () -> calls.store().space(name)).result();
    IndexedSpace indexed =
        calls.call("indexed", Effect.NONE, () -> calls.store().indexed(space)).result();
    keep(indexed);
    switch (choices.number(10)) {
      case 0, 1, 2 -> put(space);
      case 3 -> delete(space);
      case 4 -> deleteRange(space);
      case 5 -> transaction(space, indexed);
      case 6, 7 -> read(indexed);
      case 8 -> verify(indexed);
      default -> rebuild(indexed);
    }
  }

  /// Has the indexes follow changes, and drops the one that a crash left between two steps of
  /// [#rebuild]: without its definition, no change is allowed.
  private void keep(IndexedSpace indexed) {
    boolean isLeft =
        calls
            .call(
                "list indexes",
                Effect.NONE,
                () -> indexed.list().stream().anyMatch(index -> index.name().equals(OTHER_NAME)))
            .result();
    if (isLeft) {
      look("drop index", Effect.WITHIN, () -> indexed.drop(OTHER_NAME));
    }
    List<Hashed> indexes = List.of(FOR_MANY, FOR_ONE);
    look("keep", Effect.WITHIN, () -> indexed.keep(indexes, ProgressListener.none()));
  }

  private void look(String what, Effect effect, Runnable work) {
    calls.call(
        what,
        effect,
        () -> {
          work.run();
          return true;
        });
  }

  private NavigableMap<byte[], byte[]> entries() {
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    entries.putAll(calls.timeline().now().entries(name));
    return entries;
  }

  /// The key that has a prefix of the unique index, other than one, or null.
  private static byte @Nullable [] holder(Map<byte[], byte[]> entries, byte[] key, byte[] value) {
    for (byte[] prefix : FOR_ONE.of(key, value)) {
      for (var entry : entries.entrySet()) {
        if (!Arrays.equals(entry.getKey(), key)
            && FOR_ONE.of(entry.getKey(), entry.getValue()).contains(prefix)) {
          return entry.getKey();
        }
      }
    }
    return null;
  }

  private void put(Space space) {
    byte[] key = choices.key();
    byte[] value = choices.value();
    byte[] holder = holder(entries(), key, value);
    if (holder == null) {
      look(
          "indexed put",
          _ -> List.of(new Change.Put(name, key, value)),
          () -> space.put(key, value));
      return;
    }
    look(
        "indexed put refused",
        Effect.NONE,
        () -> {
          try {
            space.put(key, value);
          } catch (UniqueIndexException e) {
            require(Arrays.equals(e.presentKey(), holder), "key that has a unique value");
            return;
          }
          throw new AssertionError("unique index took a value twice: space=" + name);
        });
  }

  private void delete(Space space) {
    byte[] key = choices.key();
    look("indexed delete", _ -> List.of(new Change.Delete(name, key)), () -> space.delete(key));
  }

  private void deleteRange(Space space) {
    Range range = choices.range();
    List<Change> changes =
        entries().keySet().stream()
            .filter(range::contains)
            .<Change>map(key -> new Change.Delete(name, key))
            .toList();
    look("indexed deleteRange", _ -> changes, () -> space.deleteRange(range));
  }

  /// Two puts in one transaction, which sees their index entries before its commit.
  private void transaction(Space space, IndexedSpace indexed) {
    NavigableMap<byte[], byte[]> after = entries();
    byte[] first = choices.key();
    byte[] firstValue = choices.value();
    byte[] second = choices.key();
    byte[] secondValue = choices.value();
    after.put(first, firstValue);
    after.put(second, secondValue);
    boolean refused =
        after.entrySet().stream()
            .anyMatch(entry -> holder(after, entry.getKey(), entry.getValue()) != null);
    List<Change> changes =
        List.of(new Change.Put(name, first, firstValue), new Change.Put(name, second, secondValue));
    look(
        "indexed transact",
        refused ? Effect.NONE : _ -> changes,
        () -> {
          try {
            calls
                .store()
                .transact(tx -> {
                  tx.put(space, first, firstValue);
                  tx.put(space, second, secondValue);
                  requireEntries(tx, indexed, FOR_MANY, after);
                });
            require(!refused, "refusal of a unique index");
          } catch (UniqueIndexException e) {
            require(refused, "taking of a transaction");
          }
        });
  }

  private void read(IndexedSpace indexed) {
    NavigableMap<byte[], byte[]> entries = entries();
    look(
        "indexed read",
        Effect.NONE,
        () -> {
          try (Snapshot snapshot = calls.store().snapshot()) {
            calls.threads().giveTurn();
            for (Hashed index : List.of(FOR_MANY, FOR_ONE)) {
              require(indexed.isComplete(index.name(), snapshot), "completeness");
              require(indexed.entries(index, snapshot) != null, "index that may be read");
              requireEntries(snapshot, indexed, index, entries);
            }
          }
        });
  }

  private void requireEntries(
      ReadView view, IndexedSpace indexed, Hashed index, Map<byte[], byte[]> entries) {
    long wanted = 0;
    for (var entry : entries.entrySet()) {
      wanted += index.of(entry.getKey(), entry.getValue()).size();
    }
    Space of = indexed.entries(index.name());
    require(view.count(of, Range.all()) == wanted, "number of index entries");
    try (Cursor cursor = view.cursor(of, Range.all())) {
      while (cursor.next()) {
        byte[] key = indexed.key(index.name(), cursor);
        byte[] value = entries.get(key);
        byte[] prefix = Arrays.copyOf(cursor.key(), 2);
        require(value != null && index.of(key, value).contains(prefix), "index entry");
      }
    }
  }

  private void verify(IndexedSpace indexed) {
    look(
        "indexed verify",
        Effect.NONE,
        () -> {
          for (IndexStatus index : indexed.list()) {
            List<String> faults = indexed.verify(index.name());
            require(faults.isEmpty(), "index: " + faults);
          }
          require(indexed.space().name().equals(name), "space");
        });
  }

  /// Gives an index another name, or drops it: the next step builds it again.
  private void rebuild(IndexedSpace indexed) {
    if (choices.oneIn(2)) {
      look("drop index", Effect.WITHIN, () -> require(indexed.drop(MANY_NAME), "drop"));
      return;
    }
    look(
        "rename index",
        Effect.WITHIN,
        () -> require(indexed.rename(MANY_NAME, OTHER_NAME), "rename"));
    look("drop index", Effect.WITHIN, () -> indexed.drop(OTHER_NAME));
  }

  private void require(boolean right, String what) {
    if (!right) {
      throw new AssertionError("indexed space answers otherwise: space=" + name + ", " + what);
    }
  }
}
