package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.StoreFullException;
import io.varve.item.Item;
import io.varve.item.ItemCodec;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.item.ItemView;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import io.varve.test.simulation.ItemHistory.State;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Steps that use an item space. What is read is what changes had made of it by then, committed or
/// not; what is left by a rollback is what the last commit left.
final class Items {
  private static final int BULK_MAX = 1600;
  private static final int GROUPS = 3;
  private static final int READ_WAYS = 12;

  /// What maps, sets and streams of items begin with.
  private static final Item MAP = Item.of(100L);

  private static final Item SET = Item.of(101L);
  private static final Item BYTES = Item.of(102L);
  private static final Item CHARS = Item.of(103L);

  private final Calls calls;
  private final Choices choices;
  private final ItemHistory history;
  private final ItemTurns turns;

  Items(Calls calls, Choices choices, ItemHistory history, ItemTurns turns) {
    this.calls = calls;
    this.choices = choices;
    this.history = history;
    this.turns = turns;
  }

  void step() {
    switch (choices.number(28)) {
      case 24, 25 -> turns.changing(this::changeView);
      case 26, 27 -> turns.reading(this::readView);
      case 0, 1, 2, 3, 4, 5 -> turns.changing(() -> insert(item()));
      case 6, 7 -> turns.changing(() -> delete(item()));
      case 8, 9 -> turns.changing(this::update);
      case 10, 11 -> turns.changing(this::deleteSubspace);
      case 12, 13, 14 -> bulk();
      case 15, 16, 17, 18 -> turns.concurrently(this::commit);
      case 19, 20 -> turns.rollingBack(this::rollback);
      case 21 -> turns.reading(this::contains);
      case 22 -> turns.reading(this::snapshot);
      default -> {
        if (choices.oneIn(4)) {
          turns.alone(this::drop);
        } else {
          turns.reading(this::count);
        }
      }
    }
  }

  private Item item() {
    return Item.of((long) choices.number(GROUPS), (long) choices.number(60));
  }

  /// New for each step: a space that was dropped gives no more.
  private ItemSpace space() {
    if (history.isLost()) {
      throw new CallRefusedException(new IllegalStateException("items are not known any more"));
    }
    return calls
        .call("items", Effect.WITHIN, () -> calls.store().items(ItemHistory.SPACE))
        .result();
  }

  // --- changes --------------------------------------------------------------------------------

  private void insert(Item item) {
    ItemSpace items = space();
    change("items insert", items, set -> set.add(item), () -> items.insert(item));
  }

  private void delete(Item item) {
    ItemSpace items = space();
    change("items delete", items, set -> set.remove(item), () -> items.delete(item));
  }

  private void update() {
    ItemSpace items = space();
    Item item = Item.of((long) choices.number(GROUPS), "one", choices.label());
    change(
        "items update",
        items,
        set -> {
          clear(set, item.prefix(2));
          set.add(item);
        },
        () -> items.update(item, 2));
  }

  private void deleteSubspace() {
    ItemSpace items = space();
    Item prefix = choices.oneIn(8) ? Item.empty() : Item.of((long) choices.number(GROUPS));
    change(
        "items deleteSubspace",
        items,
        set -> clear(set, prefix),
        () -> items.deleteSubspace(prefix));
  }

  private static void clear(NavigableSet<Item> items, Item prefix) {
    Iterator<Item> under = items.tailSet(prefix, true).iterator();
    while (under.hasNext() && under.next().startsWith(prefix)) {
      under.remove();
    }
  }

  /// As many as do not fit into memory, or into one transaction, or few of them.
  private void bulk() {
    int count = choices.number(BULK_MAX);
    long group = choices.number(GROUPS);
    long first = choices.number(2 * BULK_MAX);
    boolean deletes = choices.oneIn(4);
    for (long i = 0; i < count; i++) {
      Item item = Item.of(group, first + i);
      turns.changing(() -> {
        if (deletes) {
          delete(item);
        } else {
          insert(item);
        }
      });
    }
    if (!choices.oneIn(3)) {
      turns.concurrently(this::commit);
    }
  }

  /// Changes items through a map, a set, or a stream of them.
  private void changeView() {
    ItemSpace items = space();
    long key = choices.number(10);
    switch (choices.number(6)) {
      case 0 -> changeMap(items, key);
      case 1 ->
          change(
              "items map remove",
              items,
              set -> clear(set, MAP.toBuilder().int64(key).build()),
              () -> items.map(MAP, ItemCodec.int64(), ItemCodec.string()).remove(key));
      case 2 ->
          change(
              "items set add",
              items,
              set -> set.add(SET.toBuilder().int64(key).build()),
              () -> items.set(SET, ItemCodec.int64()).add(key));
      case 3 ->
          change(
              "items set remove",
              items,
              set -> set.remove(SET.toBuilder().int64(key).build()),
              () -> items.set(SET, ItemCodec.int64()).remove(key));
      case 4 -> writeBytes(items);
      default -> writeChars(items);
    }
  }

  private void changeMap(ItemSpace items, long key) {
    String value = choices.label();
    Item prefix = MAP.toBuilder().int64(key).build();
    change(
        "items map put",
        items,
        set -> {
          clear(set, prefix);
          set.add(prefix.toBuilder().string(value).build());
        },
        () -> items.map(MAP, ItemCodec.int64(), ItemCodec.string()).put(key, value));
  }

  /// One chunk at most, so that it is one change to remove what was there, and one to write it.
  private void writeBytes(ItemSpace items) {
    byte[] bytes = Arrays.copyOf(choices.value(), 1 + choices.number(ItemSpace.CHUNK_LENGTH));
    OutputStream[] stream = new OutputStream[1];
    change(
        "items outputStream",
        items,
        set -> clear(set, BYTES),
        () -> stream[0] = items.outputStream(BYTES));
    change(
        "items outputStream close",
        items,
        set -> set.add(BYTES.toBuilder().index(0).bytes(bytes).build()),
        () -> {
          try (OutputStream closing = stream[0]) {
            closing.write(bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void writeChars(ItemSpace items) {
    String text = choices.label().repeat(1 + choices.number(20));
    Writer[] writer = new Writer[1];
    change("items writer", items, set -> clear(set, CHARS), () -> writer[0] = items.writer(CHARS));
    change(
        "items writer close",
        items,
        set -> set.add(CHARS.toBuilder().index(0).chars(text).build()),
        () -> {
          try (Writer closing = writer[0]) {
            closing.write(text);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void change(
      String what, ItemSpace items, Consumer<NavigableSet<Item>> effect, Runnable work) {
    history.begin(effect);
    try {
      run(what, work);
    } catch (CallRefusedException e) {
      findOut(items);
      throw e;
    }
    history.end();
  }

  private Done<Boolean> run(String what, Runnable work) {
    return calls.call(
        what,
        Effect.WITHIN,
        () -> {
          work.run();
          return true;
        });
  }

  /// Finds out whether a change was made whose call failed.
  private void findOut(ItemSpace items) {
    NavigableSet<Item> found;
    try {
      found = calls.call("items found", Effect.WITHIN, () -> ItemContent.shown(items)).result();
    } catch (CallRefusedException _) {
      history.lose();
      return;
    }
    if (!history.wasSince(history.now(), found::equals)) {
      throw new AssertionError("a change of items that failed was made in part");
    }
    if (history.now().items().equals(found)) {
      history.forget();
    } else {
      history.end();
    }
  }

  // --- commits --------------------------------------------------------------------------------

  private void commit() {
    ItemSpace items = space();
    Durability byDefault = calls.store().options().durability();
    int way = choices.number(8);
    Durability durability =
        switch (way) {
          case 0 -> byDefault;
          case 1, 2 -> Durability.BACKGROUND;
          default -> choices.durability();
        };
    ItemHistory.Commit commit = history.ask();
    Done<Commit> done;
    try {
      done =
          calls.call(
              "items commit",
              Effect.WITHIN,
              () ->
                  switch (way) {
                    case 0 -> items.commit();
                    default -> items.commit(durability);
                  });
    } catch (CallRefusedException e) {
      if (e.getCause() instanceof StoreFullException) {
        history.refused(commit);
      } else {
        history.failed(commit);
      }
      throw e;
    }
    long lsn = done.result().lsn();
    history.done(commit, lsn, lsn);
    calls.promises().acknowledged(lsn, durability, calls.threads().nanoTime());
  }

  private void rollback() {
    ItemSpace items = space();
    List<ItemHistory.Commit> before = history.commits();
    history.beginRollback();
    try {
      run("items rollback", items::rollback);
      history.rolledBack(
          calls.call("items rolled back", Effect.WITHIN, () -> ItemContent.shown(items)).result(),
          before);
    } catch (CallRefusedException e) {
      history.lose();
      throw e;
    }
  }

  private void drop() {
    if (history.isLost()) {
      return;
    }
    history.begin(NavigableSet::clear);
    history.end();
    ItemHistory.Commit commit = history.ask();
    try {
      Done<Boolean> done =
          calls.call("items drop", Effect.WITHIN, () -> calls.store().dropSpace(ItemHistory.SPACE));
      history.done(commit, done.fromLsn() + 1, done.toLsn());
    } catch (CallRefusedException e) {
      history.failed(commit);
      history.lose();
      throw e;
    }
  }

  // --- reads ----------------------------------------------------------------------------------

  private void contains() {
    ItemSpace items = space();
    Item item = item();
    State from = history.now();
    boolean found =
        calls.call("items contains", Effect.WITHIN, () -> items.contains(item)).result();
    requireWas(from, set -> set.contains(item) == found, "contains");
  }

  private void count() {
    ItemSpace items = space();
    Item prefix = Item.of((long) choices.number(GROUPS));
    State from = history.now();
    long found = calls.call("items count", Effect.WITHIN, () -> items.count(prefix)).result();
    requireWas(
        from,
        set -> set.stream().filter(item -> item.startsWith(prefix)).count() == found,
        "count");
  }

  private void snapshot() {
    ItemSpace items = space();
    State from = history.now();
    NavigableSet<Item> found =
        calls.call("items snapshot", Effect.WITHIN, () -> ItemContent.shown(items)).result();
    requireWas(from, found::equals, "snapshot");
  }

  /// Reads in some way of the live space, or of a snapshot of it.
  private void readView() {
    ItemSpace items = space();
    int way = choices.number(READ_WAYS);
    Item item = item();
    State from = history.now();
    if (choices.oneIn(2)) {
      read(items, from, way, item);
    } else {
      ItemSnapshot taken = calls.call("items snapshot", Effect.WITHIN, items::snapshot).result();
      try (taken) {
        read(taken, from, way, item);
      }
    }
    if (!items.name().equals(ItemHistory.SPACE) || items.statistics().layers() < 0) {
      throw new AssertionError("item space reports another name: " + items.name());
    }
    calls.call("items store", Effect.NONE, () -> items.store().lastCommit());
  }

  private void read(ItemView view, State from, int way, Item item) {
    Item group = item.prefix(1);
    switch (way) {
      case 0 ->
          requireSeen(
              view, from, () -> view.first(item, 1), set -> within(set, group, set.ceiling(item)));
      case 1 ->
          requireSeen(
              view, from, () -> view.next(item, 1), set -> within(set, group, set.higher(item)));
      case 2 ->
          requireSeen(
              view, from, () -> view.last(item, 1), set -> within(set, group, set.floor(item)));
      case 3 ->
          requireSeen(
              view, from, () -> view.previous(item, 1), set -> within(set, group, set.lower(item)));
      case 4 -> requireSeen(view, from, () -> view.contains(item), set -> set.contains(item));
      case 5 -> requireSeen(view, from, view::count, set -> (long) set.size());
      case 6 ->
          requireSeen(view, from, () -> view.count(group), set -> (long) under(set, group).size());
      case 7 -> requireSeen(view, from, () -> firstOf(view.cursor()), Items::firstOf);
      case 8 ->
          requireSeen(view, from, () -> firstOf(view.cursor(SET)), set -> firstOf(under(set, SET)));
      case 9 -> calls.call("items streams", Effect.WITHIN, () -> drain(view));
      case 10 -> requireSeen(view, from, () -> list(view.scan(group)), set -> under(set, group));
      default -> requireSeen(view, from, () -> list(view.scan()), List::copyOf);
    }
  }

  private static @Nullable Item within(NavigableSet<Item> set, Item prefix, @Nullable Item item) {
    return item != null && set.contains(item) && item.startsWith(prefix) ? item : null;
  }

  private static List<Item> under(NavigableSet<Item> items, Item prefix) {
    return items.stream().filter(item -> item.startsWith(prefix)).toList();
  }

  private static List<Item> list(Iterable<Item> items) {
    List<Item> list = new ArrayList<>();
    items.forEach(list::add);
    return list;
  }

  private static @Nullable Item firstOf(ItemCursor cursor) {
    return cursor.first() ? cursor.item() : null;
  }

  private static @Nullable Item firstOf(Collection<Item> items) {
    return items.isEmpty() ? null : items.iterator().next();
  }

  /// Reads what was written as streams; it may be empty.
  private static boolean drain(ItemView view) {
    try (InputStream stream = view.inputStream(BYTES);
        Reader reader = view.reader(CHARS)) {
      stream.readAllBytes();
      reader.transferTo(Writer.nullWriter());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Of a live space, a cursor shows each leaf as of a state of its own: so what it finds is
  /// required of snapshots alone.
  private void requireSeen(
      ItemView view,
      State from,
      Supplier<@Nullable Object> work,
      Function<NavigableSet<Item>, @Nullable Object> expected) {
    Object found = calls.call("items view", Effect.WITHIN, work).result();
    if (view instanceof ItemSnapshot) {
      requireWas(from, set -> Objects.equals(expected.apply(set), found), "view");
    }
  }

  private void requireWas(State from, Predicate<NavigableSet<Item>> test, String what) {
    if (!history.wasSince(from, test)) {
      throw new AssertionError("items read were never so: call=" + what);
    }
  }
}
