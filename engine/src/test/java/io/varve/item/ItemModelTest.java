package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.test.PowerOffException;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations on an item space and on a `TreeSet`, with commits, rollbacks and crashes.
class ItemModelTest {
  /// So small a cache that a thousand changes are moved to a layer.
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .cacheBytes(1 << 20)
          .log(log -> log.bytesMax(4 << 20).segmentBytes(1 << 20));

  private static final int STEPS = 400;

  private final TreeSet<Item> now = new TreeSet<>();
  private TreeSet<Item> committed = new TreeSet<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void isASetWithCommitAndRollback(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk disk = new SimulatedDisk(seed);
    Store store = SimulatedStore.open(disk, OPTIONS);
    ItemSpace items = store.items("items");
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(60) == 0) {
        disk = disk.powerCut();
        closeWithoutPower(store);
        store = SimulatedStore.open(disk, OPTIONS);
        items = store.items("items");
        now.clear();
        now.addAll(committed);
        requireSame(items);
      }
      change(items, random);
      read(items, random);
    }
    requireSame(items);
    assertThat(store.verify().isSound()).isTrue();
    store.close();
  }

  /// It cannot make durable what the loss of power has taken, and reports that.
  private static void closeWithoutPower(Store store) {
    try {
      store.close();
    } catch (StoreFailedException e) {
      assertThat(e).hasRootCauseInstanceOf(PowerOffException.class);
    }
  }

  @Test
  void isTheSameInMemory() {
    SplittableRandom random = new SplittableRandom(7);
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      for (int step = 0; step < STEPS; step++) {
        change(items, random);
        read(items, random);
      }
      requireSame(items);
    }
  }

  private void change(ItemSpace items, SplittableRandom random) {
    switch (random.nextInt(16)) {
      case 0 -> {
        items.commit();
        committed = new TreeSet<>(now);
      }
      case 1 -> {
        Commit commit = items.commit(Durability.BACKGROUND);
        items.store().awaitDurable(commit);
        committed = new TreeSet<>(now);
      }
      case 2 -> {
        items.rollback();
        now.clear();
        now.addAll(committed);
      }
      case 3 -> {
        Item prefix = item(random).prefix(1 + random.nextInt(3));
        items.deleteSubspace(prefix);
        now.removeIf(item -> item.startsWith(prefix));
      }
      case 4, 5 -> {
        Item item = item(random);
        int count = 1 + random.nextInt(3);
        items.update(item, count);
        now.removeIf(present -> present.startsWith(item.prefix(count)));
        now.add(item);
      }
      case 6 -> bulk(items, random);
      case 7, 8, 9 -> {
        Item item = nearest(random);
        items.delete(item);
        now.remove(item);
      }
      default -> {
        Item item = item(random);
        items.insert(item);
        now.add(item);
      }
    }
  }

  private void bulk(ItemSpace items, SplittableRandom random) {
    long group = random.nextLong(3);
    boolean deletes = random.nextInt(3) == 0;
    for (long i = 0; i < 1500; i++) {
      Item item = Item.of(group, "bulk", random.nextLong(5000));
      if (deletes) {
        items.delete(item);
        now.remove(item);
      } else {
        items.insert(item);
        now.add(item);
      }
    }
  }

  private static Item item(SplittableRandom random) {
    return Item.of(
        random.nextLong(3),
        random.nextInt(3) == 0 ? "bulk" : "s" + random.nextInt(4),
        random.nextLong(40));
  }

  /// An item that is likely to be there.
  private Item nearest(SplittableRandom random) {
    Item item = item(random);
    Item present = now.ceiling(item);
    return present == null ? item : present;
  }

  private void read(ItemSpace items, SplittableRandom random) {
    Item item = random.nextBoolean() ? item(random) : nearest(random);
    int count = random.nextInt(4);
    Item prefix = item.prefix(count);
    assertThat(items.contains(item)).isEqualTo(now.contains(item));
    assertThat(items.first(item, count)).isEqualTo(under(prefix, now.ceiling(item)));
    assertThat(items.next(item, count)).isEqualTo(under(prefix, now.higher(item)));
    assertThat(items.last(item, count)).isEqualTo(under(prefix, now.floor(item)));
    assertThat(items.previous(item, count)).isEqualTo(under(prefix, now.lower(item)));
    walk(items.cursor(prefix), prefix, item, random);
  }

  private static @Nullable Item under(Item prefix, @Nullable Item item) {
    return item == null || !item.startsWith(prefix) ? null : item;
  }

  private void walk(ItemCursor cursor, Item prefix, Item from, SplittableRandom random) {
    Item at = under(prefix, now.ceiling(from));
    boolean on = cursor.first(from);
    for (int i = 0; i < 20 && at != null; i++) {
      assertThat(on).isTrue();
      assertThat(cursor.item()).isEqualTo(at);
      boolean ahead = random.nextBoolean();
      at = under(prefix, ahead ? now.higher(at) : now.lower(at));
      on = ahead ? cursor.next() : cursor.previous();
    }
    assertThat(on).isEqualTo(at != null);
  }

  private void requireSame(ItemSpace items) {
    List<Item> all = new ArrayList<>();
    items.scan().forEach(all::add);
    assertThat(all).isEqualTo(new ArrayList<>(now));
    assertThat(items.count()).isEqualTo(now.size());
    try (ItemSnapshot snapshot = items.snapshot()) {
      ItemCursor cursor = snapshot.cursor();
      List<Item> back = new ArrayList<>();
      for (boolean on = cursor.last(); on; on = cursor.previous()) {
        back.add(cursor.item());
      }
      assertThat(back.reversed()).isEqualTo(new ArrayList<>(now));
    }
  }
}
