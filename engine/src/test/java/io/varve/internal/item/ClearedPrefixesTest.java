package io.varve.internal.item;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.TransactionTooLargeException;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.UnmergedItems;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The prefixes of subspaces that were removed, which are in memory until they are merged.
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

  /// They took memory without a bound, also when all else had gone to a layer.
  @Test
  void oneCommitRemovesNoMoreSubspacesThanMemoryHasPrefixesFor() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      fill(items);
      items.commit();
      Levels levels = ((LayeredSpace) items).levels();
      for (long bytes = 0; bytes <= Replacements.PREFIX_BYTES_MAX; bytes += 4000) {
        byte[] prefix = Item.of("x".repeat(Item.BYTES_MAX - 64), bytes).toBytes();
        levels.change(open -> open.cleared(prefix));
      }
      assertThatThrownBy(() -> items.deleteSubspace(Item.of("fill")))
          .isInstanceOf(TransactionTooLargeException.class)
          .hasMessageContaining("space=items, prefixBytes=");
      assertThat(items.count()).isEqualTo(ITEMS);
      items.commit();
      items.deleteSubspace(Item.of("fill"));
      assertThat(items.count()).isZero();
      items.commit();
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  private static void fill(ItemSpace items) {
    for (long i = 0; i < ITEMS; i++) {
      items.insert(Item.of("fill", i));
    }
  }
}
