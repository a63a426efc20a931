package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Typed tables as a store, a transaction and a snapshot open them.
class TableTest {
  private static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());
  private static final Table<Long, String> ORDERS =
      Table.of("orders", Codec.int64(), Codec.string());
  private static final TableSet<String> TAGS = TableSet.of("tags", Codec.string());

  private final Store store = Store.inMemory();

  @AfterEach
  void storeIsSound() {
    store.verify().requireSound();
    store.close();
  }

  @Test
  void aTransactionChangesTablesTogether() {
    store.open(STOCK).put("apples", 3L);
    store.transact(tx -> {
      OrderedMap<String, Long> stock = tx.open(STOCK);
      assertThat(stock.merge("apples", -1L, Long::sum)).isEqualTo(2);
      assertThat(stock).containsExactly(entry("apples", 2L));
      assertThat(store.open(STOCK)).containsExactly(entry("apples", 3L));
      tx.open(ORDERS).put(7L, "an apple");
      assertThat(tx.open(TAGS).addAll(List.of("fruit", "red"))).isTrue();
    });
    assertThat(store.open(STOCK)).containsExactly(entry("apples", 2L));
    assertThat(store.open(ORDERS)).containsExactly(entry(7L, "an apple"));
    assertThat(store.open(TAGS)).containsExactly("fruit", "red");
  }

  @Test
  void aTransactionThatIsClosedChangesNothing() {
    try (Transaction tx = store.begin()) {
      tx.open(STOCK).put("apples", 1L);
      tx.open(TAGS).add("fruit");
    }
    assertThat(store.open(STOCK)).isEmpty();
    assertThat(store.open(TAGS)).isEmpty();
  }

  @Test
  void readsThroughATableCountForConflicts() {
    store.open(STOCK).put("apples", 1L);
    try (Transaction tx = store.begin()) {
      OrderedMap<String, Long> stock = tx.open(STOCK);
      assertThat(stock.get("apples")).isEqualTo(1);
      stock.put("pears", 1L);
      store.open(STOCK).put("apples", 2L);
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(store.open(STOCK)).containsExactly(entry("apples", 2L));
  }

  /// What a range holds is read, too: a key that comes into it is a conflict.
  @Test
  void rangesOfViewsCountForConflicts() {
    try (Transaction tx = store.begin()) {
      assertThat(tx.open(ORDERS).subMap(10L, 20L)).isEmpty();
      tx.open(STOCK).put("apples", 1L);
      store.open(ORDERS).put(15L, "a phantom");
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    try (Transaction tx = store.begin()) {
      assertThat(tx.open(ORDERS).headMap(10L)).isEmpty();
      tx.open(STOCK).put("apples", 1L);
      store.open(ORDERS).put(16L, "outside of the range");
      tx.commit();
    }
    assertThat(store.open(STOCK)).containsKey("apples");
  }

  @Test
  void noIncrementOfManyThreadsIsLost() throws InterruptedException {
    int threads = 4;
    int increments = 100;
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(
          Thread.startVirtualThread(() -> {
            for (int n = 0; n < increments; n++) {
              store.transact(tx -> tx.open(STOCK).merge("apples", 1L, Long::sum));
            }
          }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(store.open(STOCK)).containsExactly(entry("apples", (long) threads * increments));
  }

  @Test
  void aSnapshotShowsATableThatDoesNotChange() {
    store.open(STOCK).put("apples", 1L);
    store.open(TAGS).add("fruit");
    try (Snapshot snapshot = store.snapshot()) {
      store.open(STOCK).put("apples", 2L);
      store.open(STOCK).put("pears", 2L);
      OrderedMap<String, Long> stock = snapshot.open(STOCK);
      assertThat(stock).containsExactly(entry("apples", 1L));
      assertThat(stock.tailMap("b")).isEmpty();
      assertThat(snapshot.open(ORDERS)).isEmpty();
      assertThat(snapshot.open(TAGS).parallelStream().toList()).containsExactly("fruit");
      assertThatThrownBy(() -> stock.put("plums", 1L))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("space=stock");
      assertThatThrownBy(stock::clear).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> stock.remove("apples"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> snapshot.open(TAGS).add("red"))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  /// A caller that names a durability is refused, because it would not be in effect.
  @Test
  void tablesOfTransactionsAndSnapshotsHaveNoDurability() {
    store.open(STOCK).put("apples", 1L);
    store.transact(tx -> {
      assertThatThrownBy(() -> tx.open(STOCK).with(Durability.NONE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("space=stock, durability=NONE");
      assertThatThrownBy(() -> tx.open(TAGS).with(Durability.NONE))
          .isInstanceOf(UnsupportedOperationException.class);
    });
    try (Snapshot snapshot = store.snapshot()) {
      assertThatThrownBy(() -> snapshot.open(STOCK).with(Durability.NONE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("space=stock");
      assertThatThrownBy(() -> snapshot.open(TAGS).with(Durability.NONE))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  /// A map that was captured from outside commits on its own, once for each run of the body.
  @Test
  void aMapOfTheStoreIsNotChangedInABody() {
    OrderedMap<String, Long> stock = store.open(STOCK);
    stock.put("apples", 1L);
    OrderedSet<String> tags = store.open(TAGS);
    List<Runnable> changes =
        List.of(
            () -> stock.put("apples", 2L),
            () -> stock.putAll(Map.of("apples", 2L)),
            () -> stock.merge("apples", 1L, Long::sum),
            () -> stock.remove("apples"),
            stock::clear,
            stock::pollFirstEntry,
            () -> stock.keySet().retainAll(Set.of()),
            () -> stock.with(Durability.NONE).put("apples", 2L),
            () -> tags.add("fruit"),
            () -> tags.with(Durability.NONE).add("fruit"),
            () -> tags.addAll(List.of("fruit")));
    for (Runnable change : changes) {
      assertThatThrownBy(() -> store.transact(_ -> change.run()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("tx.open(table)");
    }
    store.transact(_ -> assertThat(stock).containsEntry("apples", 1L));
    assertThat(stock).containsExactly(entry("apples", 1L));
    assertThat(tags).isEmpty();
  }

  @Test
  void aThreadKnowsWhetherItRunsABody() {
    try (Store other = Store.inMemory()) {
      AtomicInteger runs = new AtomicInteger();
      store.transact(_ -> {
        runs.incrementAndGet();
        assertThat(store.isInTransaction()).isTrue();
        assertThat(other.isInTransaction()).isFalse();
        other.open(STOCK).put("apples", 1L);
      });
      assertThat(runs).hasValue(1);
      assertThat(store.isInTransaction()).isFalse();
    }
  }

  /// A table of a transaction does what a tree map does, with some entries committed and others
  /// not, and with changes while it is traversed.
  @Test
  void aTransactionSeesItsOwnWritesInOrder() {
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeMap<Long, String> expected = new TreeMap<>();
      store.open(ORDERS).clear();
      for (int i = 0; i < 200; i++) {
        expected.put(random.nextLong(1000), "committed");
      }
      store.open(ORDERS).putAll(expected);
      store.transact(tx -> changeAlike(tx.open(ORDERS), expected, random));
      assertThat(store.open(ORDERS)).as("seed=%d", seed).isEqualTo(expected);
    }
  }

  private static void changeAlike(
      OrderedMap<Long, String> orders, TreeMap<Long, String> expected, SplittableRandom random) {
    for (int i = 0; i < 100; i++) {
      long key = random.nextLong(1000);
      switch (random.nextInt(8)) {
        case 0 -> assertThat(orders.remove(key)).isEqualTo(expected.remove(key));
        case 1 ->
            assertThat(orders.merge(key, "m", String::concat))
                .isEqualTo(expected.merge(key, "m", String::concat));
        case 2 -> {
          orders.subMap(key, key + 10).clear();
          expected.subMap(key, key + 10).clear();
        }
        case 3 ->
            assertThat(orders.values().removeIf(value -> value.length() == 1))
                .isEqualTo(expected.values().removeIf(value -> value.length() == 1));
        case 4 -> assertThat(orders.pollFirstEntry()).isEqualTo(expected.pollFirstEntry());
        case 5 ->
            assertThat(orders.descendingMap().tailMap(key).size())
                .isEqualTo(expected.descendingMap().tailMap(key).size());
        case 6 ->
            assertThat(orders.keySet().parallelStream().filter(k -> k > key).toList())
                .isEqualTo(expected.keySet().stream().filter(k -> k > key).toList());
        default -> assertThat(orders.put(key, "own")).isEqualTo(expected.put(key, "own"));
      }
    }
    assertThat(orders).isEqualTo(expected);
  }
}
