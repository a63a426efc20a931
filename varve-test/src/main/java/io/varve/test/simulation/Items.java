package io.varve.test.simulation;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.item.Item;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.test.Change;
import io.varve.test.Model;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import io.varve.test.simulation.ItemHistory.Moment;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Steps that use an item space. What is read is what changes had made of it by then, committed or
/// not; what is left by a rollback is what the last commit left.
final class Items {
  private static final String LAYERS = ItemHistory.SPACE + "~layer-";
  private static final int BULK_MAX = 1600;
  private static final int GROUPS = 3;

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

  /// The content of a store besides its items, which lie in spaces as the engine pleases.
  static Model besides(Model content) {
    Model besides = content.copy();
    for (String name : besides.spaceNames()) {
      if (name.equals(ItemHistory.SPACE) || name.startsWith(LAYERS)) {
        besides.apply(new Change.DropSpace(name));
      }
    }
    return besides;
  }

  /// The items of a store that was opened.
  static NavigableSet<Item> of(Store store) {
    boolean present = store.findSpace(ItemHistory.SPACE) != null;
    return present ? shown(store.items(ItemHistory.SPACE)) : new TreeSet<>();
  }

  private static NavigableSet<Item> shown(ItemSpace items) {
    NavigableSet<Item> shown = new TreeSet<>();
    try (ItemSnapshot snapshot = items.snapshot()) {
      for (Item item : snapshot.scan()) {
        if (!shown.isEmpty() && shown.last().compareTo(item) >= 0) {
          throw new AssertionError("items are out of order: " + shown.last() + ", " + item);
        }
        shown.add(item);
      }
      if (snapshot.count() != shown.size()) {
        throw new AssertionError("snapshot of items counts other than it shows");
      }
    }
    return shown;
  }

  /// Requires that a commit merges what is left to be merged, and changes nothing by that.
  static void requireMerged(Store store) {
    NavigableSet<Item> before = of(store);
    if (store.findSpace(ItemHistory.SPACE) == null) {
      return;
    }
    store.items(ItemHistory.SPACE).commit();
    if (store.spaceNames().stream().anyMatch(name -> name.startsWith(LAYERS))) {
      throw new AssertionError("layers of items are left: " + store.spaceNames());
    }
    if (!of(store).equals(before)) {
      throw new AssertionError("merging the layers of items has changed the items");
    }
  }

  void step() {
    switch (choices.number(24)) {
      case 0, 1, 2, 3, 4, 5 -> turns.changing(() -> insert(item()));
      case 6, 7 -> turns.changing(() -> delete(item()));
      case 8, 9 -> turns.changing(this::update);
      case 10, 11 -> turns.changing(this::deleteSubspace);
      case 12, 13, 14 -> bulk();
      case 15, 16, 17, 18 -> turns.beside(this::commit);
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

  /// Anew for each step: a space that was dropped gives no more.
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
      turns.beside(this::commit);
    }
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
      found = calls.call("items found", Effect.WITHIN, () -> shown(items)).result();
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
    Durability durability = choices.durability();
    ItemHistory.Commit commit = history.ask();
    Done<Long> done;
    try {
      done = calls.call("items commit", Effect.WITHIN, () -> items.commit(durability));
    } catch (CallRefusedException e) {
      if (e.getCause() instanceof StoreFullException) {
        history.refused(commit);
      } else {
        history.failed(commit);
      }
      throw e;
    }
    long lsn = done.result();
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
          calls.call("items rolled back", Effect.WITHIN, () -> shown(items)).result(), before);
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
    Moment from = history.now();
    boolean found =
        calls.call("items contains", Effect.WITHIN, () -> items.contains(item)).result();
    requireWas(from, set -> set.contains(item) == found, "contains");
  }

  private void count() {
    ItemSpace items = space();
    Item prefix = Item.of((long) choices.number(GROUPS));
    Moment from = history.now();
    long found = calls.call("items count", Effect.WITHIN, () -> items.count(prefix)).result();
    requireWas(
        from,
        set -> set.stream().filter(item -> item.startsWith(prefix)).count() == found,
        "count");
  }

  private void snapshot() {
    ItemSpace items = space();
    Moment from = history.now();
    NavigableSet<Item> found =
        calls.call("items snapshot", Effect.WITHIN, () -> shown(items)).result();
    requireWas(from, found::equals, "snapshot");
  }

  private void requireWas(Moment from, Predicate<NavigableSet<Item>> test, String what) {
    if (!history.wasSince(from, test)) {
      throw new AssertionError("items read were never so: call=" + what);
    }
  }
}
