package io.varve.internal.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// How many pages a tree has once most of its entries have been deleted one by one.
class TreeShapeTest {
  /// Leaves of some eight entries: three levels.
  private static final int COUNT = 20_000;

  /// So few that one leaf holds them.
  private static final int KEPT = 3;

  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().pageBytes(1024).cacheBytes(64 << 20);

  private static byte[] key(int number) {
    return "key%08d".formatted(number).getBytes(ISO_8859_1);
  }

  private static List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  private static Space filled(Store store) {
    Space space = store.space("s");
    store.transact(transaction ->
        numbers().forEach(number -> transaction.put(space, key(number), new byte[100])));
    return space;
  }

  private static void requireShrinks(List<Integer> order) {
    try (Store store = Store.inMemory(OPTIONS)) {
      Space space = filled(store);
      long full = store.verify().pages();
      assertThat(full).isGreaterThan(COUNT / 10);
      for (int number : order.subList(KEPT, COUNT)) {
        space.with(Durability.NONE).delete(key(number));
      }
      store.verify().requireSound();
      assertThat(store.verify().entries()).isEqualTo(KEPT);
      assertThat(store.verify().pages()).as("pages of a tree that had %d", full).isEqualTo(1);
    }
  }

  @Test
  void deletesFromTheEndLeaveOnePage() {
    requireShrinks(numbers());
  }

  @Test
  void deletesFromTheStartLeaveOnePage() {
    requireShrinks(numbers().reversed());
  }

  @Test
  void deletesAnywhereLeaveOnePage() {
    List<Integer> order = numbers();
    Collections.shuffle(order, new Random(1));
    requireShrinks(order);
  }

  /// Guards against leaves that are split for bytes that no entry uses any more.
  @Test
  void valuesThatAreReplacedAddNoPage() {
    Random random = new Random(1);
    try (Store store = Store.inMemory(OPTIONS)) {
      Space space = store.space("s");
      for (int i = 0; i < 2_000; i++) {
        space.with(Durability.NONE).put(key(i % 5), new byte[80 + random.nextInt(40)]);
      }
      assertThat(store.verify().pages()).isEqualTo(1);
    }
  }
}
