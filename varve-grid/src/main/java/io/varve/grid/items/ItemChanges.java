package io.varve.grid.items;

import io.varve.item.Item;
import io.varve.item.ItemSpace;
import io.varve.json.ItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Replaces, patches and removes the items of a prefix.
final class ItemChanges {
  static final String FAILED_CONDITION =
      "the items are not those that If-Match or If-None-Match states; read them again";

  /// Memory that a patch takes for what it changes, before it is known how much that is.
  private static final long PATCHED_BYTES = 64 << 10;

  /// A patch holds the value before and after.
  private static final int PATCH_VALUES = 2;

  /// Items that are removed one by one at most, in addition to as many as there are to be.
  private static final int REMOVED_MAX = 10_000;

  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NOT_FOUND = 404;
  private static final int PRECONDITION_FAILED = 412;
  private static final int TOO_LARGE = 413;

  private final ItemStore store;
  private final MemoryBudget budget;
  private final long itemBytesMax;

  ItemChanges(ItemStore store, MemoryBudget budget, long itemBytesMax) {
    this.store = store;
    this.budget = budget;
    this.itemBytesMax = itemBytesMax;
  }

  /// Makes the items of a prefix those of a value.
  Outcome replace(ItemAddress address, Preconditions conditions, JsonBody body) {
    return within(
        body.memoryBytes(address.prefix(), itemBytesMax),
        () -> {
          NavigableSet<Item> wanted = items(address.prefix(), body.value());
          return change(address, conditions, items -> replaced(items, address.prefix(), wanted));
        });
  }

  /// Changes the items of a prefix by a JSON Merge Patch.
  Outcome patch(ItemAddress address, Preconditions conditions, JsonBody body) {
    long own = body.memoryBytes(address.prefix(), itemBytesMax);
    long known = PATCHED_BYTES;
    while (true) {
      long allowed = known;
      long[] needed = new long[1];
      Outcome outcome =
          within(
              own + allowed,
              () -> {
                JsonNode patch = body.value();
                return change(
                    address,
                    conditions,
                    items -> {
                      PrefixFigures before = PrefixFigures.of(items, address.prefix());
                      needed[0] = PATCH_VALUES * before.jsonBytes();
                      return needed[0] > allowed
                          ? Outcome.refused(TOO_LARGE, "there are more items than it was known")
                          : patched(items, address.prefix(), patch, before);
                    });
              });
      if (needed[0] <= allowed || !budget.allows(own + needed[0])) {
        return needed[0] <= allowed ? outcome : tooLarge();
      }
      known = needed[0] + PATCHED_BYTES;
    }
  }

  private Outcome patched(ItemSpace items, Item prefix, JsonNode patch, PrefixFigures before) {
    JsonNode value = ItemJson.read(items, prefix, before.items());
    return replaced(items, prefix, items(prefix, ItemJson.merge(value, patch)));
  }

  /// Removes the items of a prefix.
  Outcome remove(ItemAddress address, Preconditions conditions) {
    if (store.present(address.space()) == null) {
      return conditions.areTrueOf(null) ? nothing() : failedCondition();
    }
    return change(
        address,
        conditions,
        items -> {
          long count = items.count(address.prefix());
          if (count == 0) {
            return nothing();
          }
          items.deleteSubspace(address.prefix());
          return new Outcome(OK, count, 0, null, null);
        });
  }

  /// Makes a change of items of which the conditions are true.
  private Outcome change(
      ItemAddress address, Preconditions conditions, Function<ItemSpace, Outcome> change) {
    return store.change(() -> {
      if (!conditions.areTrueOf(null) && store.present(address.space()) == null) {
        return failedCondition(); // and makes no item space
      }
      return store
          .made(address.space())
          .change(items ->
              conditions.isEmpty()
                      || conditions.areTrueOf(PrefixFigures.of(items, address.prefix()).tag())
                  ? change.apply(items)
                  : failedCondition());
    });
  }

  private NavigableSet<Item> items(Item prefix, JsonNode value) {
    return ItemJson.items(prefix, value, itemBytesMax);
  }

  private static Outcome replaced(ItemSpace items, Item prefix, NavigableSet<Item> wanted) {
    long before = items.count(prefix);
    int after = wanted.size();
    String tag = PrefixFigures.tag(wanted, prefix);
    int status = before == 0 && after > 0 ? CREATED : OK;
    long changed =
        before > (long) after + REMOVED_MAX
            ? replacedAll(items, prefix, wanted)
            : replacedByOne(items, prefix, wanted);
    return new Outcome(status, changed, after, tag, null);
  }

  /// Removes all items of a prefix, of which none is held, and inserts others.
  private static long replacedAll(ItemSpace items, Item prefix, NavigableSet<Item> wanted) {
    long removed = items.count(prefix);
    items.deleteSubspace(prefix);
    wanted.forEach(items::insert);
    return removed + wanted.size();
  }

  /// Removes and inserts what differs.
  private static long replacedByOne(ItemSpace items, Item prefix, NavigableSet<Item> wanted) {
    List<Item> removed = new ArrayList<>();
    for (Item item : items.scan(prefix)) {
      if (!wanted.remove(item)) {
        removed.add(item);
      }
    }
    removed.forEach(items::delete);
    wanted.forEach(items::insert);
    return (long) removed.size() + wanted.size();
  }

  private Outcome within(long bytes, Supplier<Outcome> work) {
    return budget.allows(bytes) ? budget.use(bytes, work) : tooLarge();
  }

  private static Outcome tooLarge() {
    return Outcome.refused(
        TOO_LARGE,
        "the value takes more memory than all requests for items have; write parts of it, by"
            + " longer prefixes, or start the node with a larger heap");
  }

  private static Outcome failedCondition() {
    return Outcome.refused(PRECONDITION_FAILED, FAILED_CONDITION);
  }

  private static Outcome nothing() {
    return Outcome.refused(NOT_FOUND, "there are no items under this prefix");
  }
}
