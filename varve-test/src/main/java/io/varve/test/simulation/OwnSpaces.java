package io.varve.test.simulation;

import io.varve.Codec;
import io.varve.OrderedMap;
import io.varve.OrderedSet;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.TableSet;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import io.varve.test.simulation.Mirror.Call;
import io.varve.test.simulation.Mirror.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/// Steps that use a map and a set which one actor alone changes, by every method that they have: so
/// it is known exactly what each call must give. Others commit, and crash the store, concurrently.
final class OwnSpaces {
  private static final Codec<Long> KEYS = Codec.int64();
  private static final Codec<String> VALUES = Codec.string();
  private static final byte[] NO_BYTES = {};

  /// Of one call, views of views at most.
  private static final int DEPTH_MAX = 3;

  /// What changes several entries, and each with a commit of its own.
  private static final Set<String> ONE_BY_ONE =
      Set.of("replaceAll", "removeIf", "removeAll", "retainAll");

  private final Calls calls;
  private final Choices choices;
  private final Mirror mirror;
  private final String mapSpace;
  private final String setSpace;
  private final String renamedSpace;
  private final Table<Long, String> table;
  private final TableSet<Long> tableSet;

  /// @param owner the number of the actor
  OwnSpaces(Calls calls, Choices choices, int owner) {
    this.calls = calls;
    this.choices = choices;
    this.mirror = new Mirror(choices, calls.threads()::giveTurn);
    this.mapSpace = "map-" + owner;
    this.setSpace = "set-" + owner;
    this.renamedSpace = "named-" + owner;
    this.table = Table.of(mapSpace, KEYS, VALUES);
    this.tableSet = TableSet.of(setSpace, KEYS);
  }

  void step() {
    if (choices.oneIn(5)) {
      useTables();
      if (choices.oneIn(4)) {
        rename();
      }
    } else if (choices.oneIn(3)) {
      useSet();
    } else {
      useMap();
    }
  }

  /// Reads the tables by a snapshot and a transaction, which must give what is there, and changes
  /// the map by the transaction.
  private void useTables() {
    Store store = calls.store();
    calls.call("open", Effect.NONE, () -> store.open(table)).result();
    calls.call("open", Effect.NONE, () -> store.open(tableSet)).result();
    Map<Long, String> entries = mapTwin();
    Set<Long> elements = setTwin();
    calls.call(
        "snapshot open",
        Effect.NONE,
        () -> {
          try (Snapshot snapshot = store.snapshot()) {
            requireShown(snapshot, entries, elements);
          }
          return true;
        });
    long key = choices.number(20);
    String value = "of a transaction " + key;
    var change = new Change.Put(mapSpace, KEYS.encode(key), VALUES.encode(value));
    calls.call(
        "transact open",
        _ -> List.of(change),
        () ->
            store.transact(tx -> {
              requireShown(tx, entries, elements);
              if (!store.isInTransaction()) {
                throw new AssertionError("thread of a body does not know that it runs one");
              }
              tx.open(table).put(key, value);
            }));
  }

  /// Renames a space, and puts an entry under the new name: it is found there as long as the rename
  /// is, which comes before it in the order of commits.
  private void rename() {
    Store store = calls.store();
    String newName = renamedSpace + "-renamed";
    calls.mayDrop(newName);
    calls.call(
        "dropSpace", _ -> List.of(new Change.DropSpace(newName)), () -> store.dropSpace(newName));
    Space space = calls.call("space", Effect.NONE, () -> store.space(renamedSpace)).result();
    boolean renamed =
        calls
            .call("renameSpace", Effect.NONE, () -> store.renameSpace(renamedSpace, newName))
            .result();
    if (!renamed || !space.name().equals(newName) || store.findSpace(renamedSpace) != null) {
      throw new AssertionError("space was not renamed: space=" + renamedSpace);
    }
    byte[] key = KEYS.encode(1L);
    calls.call(
        "put renamed",
        _ -> List.of(new Change.Put(newName, key, key)),
        () -> space.async().space().put(key, key));
  }

  private void requireShown(ReadView view, Map<Long, String> entries, Set<Long> elements) {
    if (!view.store().spaceNames().contains(mapSpace)
        || !view.open(table).equals(entries)
        || !view.open(tableSet).equals(elements)) {
      throw new AssertionError("table shows other than is there: space=" + mapSpace);
    }
  }

  private ConcurrentNavigableMap<Long, String> mapTwin() {
    ConcurrentNavigableMap<Long, String> twin = new ConcurrentSkipListMap<>();
    calls
        .timeline()
        .now()
        .entries(mapSpace)
        .forEach((key, value) -> twin.put(KEYS.decode(key), VALUES.decode(value)));
    return twin;
  }

  private NavigableSet<Long> setTwin() {
    NavigableSet<Long> twin = new ConcurrentSkipListSet<>();
    calls.timeline().now().entries(setSpace).keySet().forEach(key -> twin.add(KEYS.decode(key)));
    return twin;
  }

  private void useMap() {
    OrderedMap<Long, String> map =
        calls.call("map", Effect.NONE, () -> calls.store().map(mapSpace, KEYS, VALUES)).result();
    ConcurrentNavigableMap<Long, String> twin = mapTwin();
    use(mapSpace, OrderedMap.class, map, twin, () -> encoded(twin));
  }

  private static NavigableMap<byte[], byte[]> encoded(Map<Long, String> map) {
    NavigableMap<byte[], byte[]> encoded = new TreeMap<>(Arrays::compareUnsigned);
    map.forEach((key, value) -> encoded.put(KEYS.encode(key), VALUES.encode(value)));
    return encoded;
  }

  private void useSet() {
    OrderedSet<Long> set =
        calls.call("set", Effect.NONE, () -> calls.store().set(setSpace, KEYS)).result();
    NavigableSet<Long> twin = setTwin();
    use(
        setSpace,
        OrderedSet.class,
        set,
        twin,
        () -> {
          NavigableMap<byte[], byte[]> encoded = new TreeMap<>(Arrays::compareUnsigned);
          twin.forEach(key -> encoded.put(KEYS.encode(key), NO_BYTES));
          return encoded;
        });
  }

  /// What the twin holds, as a space would.
  private interface Encoded {
    NavigableMap<byte[], byte[]> content();
  }

  /// Calls some method of both, of what it gives, and so on.
  private void use(String space, Class<?> type, Object real, Object twin, Encoded encoded) {
    Object target = real;
    Object twinTarget = twin;
    Class<?> targetType = type;
    boolean falling = false;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
      Call call = mirror.call(targetType, twinTarget, depth == 0);
      NavigableMap<byte[], byte[]> before = encoded.content();
      falling = isFalling(twinTarget, falling);
      Outcome expected = call.of(twinTarget, typeOf(twinTarget));
      List<Change> changes = changes(space, before, encoded.content(), falling);
      Outcome found = call(space, call, target, targetType, changes);
      if (expected == null) {
        if (isOther(call.name())) {
          return;
        }
        target = Objects.requireNonNull(found.result(), "view with a durability");
        continue; // shows what its twin does
      }
      if (!found.sameAs(expected)) {
        throw new AssertionError(
            "collection answers otherwise than one of the JDK: call=%s.%s, found=%s, expected=%s"
                .formatted(targetType.getSimpleName(), call.name(), found, expected));
      }
      Object view = found.result();
      Object twinView = expected.result();
      if (view == null || twinView == null || !isView(view) || choices.oneIn(2)) {
        return;
      }
      target = view;
      twinTarget = twinView;
      targetType = typeOf(target);
      if (!isOfBoth(targetType, twinTarget)) {
        return;
      }
    }
  }

  /// Whether a method that no collection of the JDK has gave no collection.
  private static boolean isOther(String method) {
    return switch (method) {
      case "space", "async" -> true;
      case "with" -> false;
      default ->
          throw new IllegalStateException("no collection of the JDK has this: method=" + method);
    };
  }

  private static boolean isOfBoth(Class<?> type, Object twin) {
    if (twin instanceof Set<?> set && !(twin instanceof NavigableSet) && set.isEmpty()) {
      return false; // of keys or of entries, which nothing shows
    }
    return type.isInstance(twin)
        || (type.equals(OrderedMap.class) && twin instanceof ConcurrentNavigableMap)
        || (type.equals(OrderedSet.class) && twin instanceof NavigableSet);
  }

  private static boolean isView(Object result) {
    return result instanceof Map || (result instanceof Collection && !(result instanceof List));
  }

  private static Class<?> typeOf(Object target) {
    return switch (target) {
      case OrderedMap<?, ?> _ -> OrderedMap.class;
      case OrderedSet<?> _ -> OrderedSet.class;
      case ConcurrentNavigableMap<?, ?> _ -> ConcurrentNavigableMap.class;
      case NavigableMap<?, ?> _ -> NavigableMap.class;
      case NavigableSet<?> _ -> NavigableSet.class;
      case Set<?> _ -> Set.class;
      default -> Collection.class;
    };
  }

  /// Whether a view shows greater keys first.
  ///
  /// @param otherwise if it cannot be seen
  private static boolean isFalling(Object view, boolean otherwise) {
    Iterable<?> keys = view instanceof Map<?, ?> map ? map.keySet() : (Iterable<?>) view;
    Long last = null;
    for (Object each : keys) {
      Object key = each instanceof Map.Entry<?, ?> entry ? entry.getKey() : each;
      if (key instanceof Long number) {
        if (last != null) {
          return number < last;
        }
        last = number;
      }
    }
    return otherwise;
  }

  /// The changes from one content to the other, in the order in which a view shows their keys.
  private static List<Change> changes(
      String space,
      NavigableMap<byte[], byte[]> before,
      NavigableMap<byte[], byte[]> after,
      boolean falling) {
    List<Change> changes = new ArrayList<>();
    NavigableMap<byte[], byte[]> all = new TreeMap<>(before);
    all.putAll(after);
    for (byte[] key : falling ? all.descendingKeySet() : all.navigableKeySet()) {
      byte[] value = after.get(key);
      if (value == null) {
        changes.add(new Change.Delete(space, key));
      } else if (!Arrays.equals(value, before.get(key))) {
        changes.add(new Change.Put(space, key, value));
      }
    }
    return changes;
  }

  private Outcome call(
      String space, Call call, Object target, Class<?> type, List<Change> changes) {
    boolean oneByOne = ONE_BY_ONE.contains(call.name());
    var effect = new Commits(changes, oneByOne);
    String what = type.getSimpleName() + "." + call.name();
    Done<@Nullable Outcome> done = calls.call(what, effect, () -> call.of(target, type));
    if (effect.made < effect.expected()) {
      throw new AssertionError(
          "collection changed less than it should: call=%s, commits=%d, changes=%d"
              .formatted(what, effect.made, changes.size()));
    }
    Outcome outcome = done.result();
    if (outcome == null) {
      throw new IllegalStateException("method of an interface is gone: " + what);
    }
    return outcome;
  }

  /// What the commits of one call change: all by the first, or each by one of its own.
  private static final class Commits implements Effect {
    private final List<Change> changes;
    private final boolean oneByOne;
    private int made;

    Commits(List<Change> changes, boolean oneByOne) {
      this.changes = changes;
      this.oneByOne = oneByOne;
    }

    int expected() {
      return oneByOne ? changes.size() : Math.min(1, changes.size());
    }

    @Override
    public List<Change> of(Timeline before) {
      int number = made++;
      if (!oneByOne) {
        return number == 0 ? changes : List.of();
      }
      return number < changes.size() ? changes.subList(number, number + 1) : List.of();
    }

    @Override
    public boolean isUnfinished() {
      return made < expected();
    }
  }
}
