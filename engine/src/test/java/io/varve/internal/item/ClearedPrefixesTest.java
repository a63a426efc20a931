package io.varve.internal.item;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.UnmergedItems;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The prefixes of subspaces that were removed, until they are merged.
class ClearedPrefixesTest {
  private static final StoreOptions OPTIONS = UnmergedItems.OPTIONS;

  /// More than are deleted one by one.
  private static final int ITEMS = 1100;

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Test
  void prefixesAreInOrderAndNoneStartsWithAnother() {
    SplittableRandom random = new SplittableRandom(1);
    Prefixes prefixes = Prefixes.NONE;
    TreeSet<String> model = new TreeSet<>();
    for (int i = 0; i < 500; i++) {
      String prefix = Integer.toString(random.nextInt(1, 20_000), 7);
      if (model.stream().noneMatch(prefix::startsWith)) {
        model.removeIf(present -> present.startsWith(prefix));
        model.add(prefix);
      }
      prefixes = prefixes.with(bytes(prefix));
    }
    assertThat(prefixes.all().stream().map(prefix -> new String(prefix, ISO_8859_1)))
        .containsExactlyElementsOf(model);
    Prefixes again = Prefixes.NONE;
    for (String prefix : model) {
      again = again.with(bytes(prefix));
    }
    assertThat(prefixes.bytes()).isEqualTo(again.bytes()).isPositive();
    assertThat(prefixes.with(bytes("")).all()).hasSize(1);
  }

  /// They took memory without a bound; and then the one after 4 MiB of them was refused.
  @Test
  void oneCommitRemovesAnyNumberOfSubspaces() {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      for (long i = 0; i < ITEMS; i++) {
        items.insert(Item.of("fill", i));
      }
      items.commit();
      Levels levels = ((LayeredSpace) items).levels();
      for (long bytes = 0; bytes <= 4 << 20; bytes += 4000) {
        byte[] prefix = Item.of("x".repeat(Item.BYTES_MAX - 64), bytes).toBytes();
        levels.change(open -> open.cleared(prefix));
        assertThat(levels.state().open().cleared().bytes()).isLessThan(512 << 10);
      }
      items.deleteSubspace(Item.of("fill"));
      assertThat(items.count()).isZero();
      items.commit();
      assertThat(items.cursor(Item.empty()).next()).isFalse();
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  /// L2: prefixes that start with another one, in any order, in memory and in layers.
  @Test
  void itemsUnderRemovedPrefixesAreGoneWhereverThesePrefixesAre() {
    SplittableRandom random = new SplittableRandom(1);
    TreeSet<Item> model = new TreeSet<>();
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      Levels levels = ((LayeredSpace) items).levels();
      for (int step = 0; step < 1500; step++) {
        Item item = Item.of(part(random), part(random), random.nextLong(4));
        if (random.nextInt(3) > 0) {
          items.insert(item);
          model.add(item);
        } else {
          Item prefix = item.prefix(random.nextInt(20) == 0 ? 0 : random.nextInt(1, 3));
          levels.change(open -> open.cleared(prefix.toBytes()));
          model.removeIf(present -> present.startsWith(prefix));
        }
        if (random.nextInt(100) == 0) {
          items.commit();
        }
        if (step % 10 == 0) {
          requireSame(items, model, item);
        }
      }
      items.commit();
      requireSame(items, model, Item.empty());
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  /// So long that some dozens of them are too much for memory.
  private static String part(SplittableRandom random) {
    return "x".repeat(1000) + random.nextInt(6);
  }

  private static void requireSame(ItemSpace items, TreeSet<Item> model, Item from) {
    assertThat(items.count()).isEqualTo(model.size());
    ItemCursor cursor = items.cursor(Item.empty());
    boolean on = cursor.first(from);
    for (Item item : model.tailSet(from)) {
      assertThat(on && cursor.item().equals(item)).as("forward").isTrue();
      on = cursor.next();
    }
    assertThat(on).isFalse();
    on = cursor.last(from);
    for (Item item : model.headSet(from, true).reversed()) {
      assertThat(on && cursor.item().equals(item)).as("backward").isTrue();
      on = cursor.previous();
    }
    assertThat(on).isFalse();
  }
}
