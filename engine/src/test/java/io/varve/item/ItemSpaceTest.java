package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreOptions;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What single calls of an item space promise.
class ItemSpaceTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .cacheBytes(1 << 20)
          .log(log -> log.bytesMax(4 << 20).segmentBytes(1 << 20));

  private final SimulatedDisk disk = new SimulatedDisk(1);

  @Test
  void insertAndDeleteAreIdempotent() {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      Item item = Item.of("x");
      items.insert(item);
      items.insert(item);
      assertThat(items.count()).isEqualTo(1);
      items.delete(item);
      items.delete(item);
      assertThat(items.count()).isZero();
      items.commit();
      items.delete(item);
      items.commit();
      assertThat(items.contains(item)).isFalse();
    }
  }

  @Test
  void oneObjectForAllWhoAskForTheName() {
    try (Store store = Store.inMemory()) {
      store.items("items").insert(Item.of("x"));
      assertThat(store.items("items")).isSameAs(store.items("items"));
      assertThat(store.items("items").contains(Item.of("x"))).isTrue();
      assertThat(store.items("others").count()).isZero();
      assertThatThrownBy(() -> store.items("x".repeat(161)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nameLength=161");
    }
  }

  @Test
  void theEmptyItemIsAnItem() {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      items.insert(Item.empty());
      items.insert(Item.of(1));
      assertThat(items.scan()).containsExactly(Item.empty(), Item.of(1));
      items.commit();
      assertThat(items.contains(Item.empty())).isTrue();
      items.deleteSubspace(Item.empty());
      assertThat(items.scan()).isEmpty();
    }
  }

  @Test
  void snapshotStaysAsItWas() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      fill(items, 3000);
      items.commit();
      items.insert(Item.of("open"));
      ItemSnapshot snapshot = items.snapshot();
      List<Item> before = new ArrayList<>();
      snapshot.scan().forEach(before::add);
      items.deleteSubspace(Item.of("fill"));
      items.commit();
      fill(items, 5000);
      items.commit();
      items.rollback();
      assertThat(snapshot.scan()).containsExactlyElementsOf(before);
      assertThat(snapshot.count()).isEqualTo(3001);
      snapshot.close();
      snapshot.close();
      assertThatThrownBy(snapshot::count).isInstanceOf(StoreClosedException.class);
      assertThat(items.count()).isEqualTo(5001);
      assertThat(store.spaceNames()).as("no layer is left").containsExactly("items");
    }
  }

  private static void fill(ItemSpace items, long count) {
    for (long i = 0; i < count; i++) {
      items.insert(Item.of("fill", i));
    }
  }

  @Test
  void weakCommitIsMadeStrongByAwaitD3() {
    Store store = SimulatedStore.open(disk, OPTIONS);
    ItemSpace items = store.items("items");
    items.insert(Item.of("x"));
    store.awaitDurable(items.commit(Durability.BACKGROUND));
    SimulatedDisk after = disk.powerCut();
    try (Store reopened = SimulatedStore.open(after, OPTIONS)) {
      assertThat(reopened.items("items").scan()).containsExactly(Item.of("x"));
    }
    store.close();
  }

  @Test
  void aDroppedSpaceIsNewAndEmpty() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      fill(items, 3000); // with a layer
      assertThat(store.dropSpace("items")).isTrue();
      assertThatThrownBy(items::count).isInstanceOf(IllegalStateException.class);
      assertThat(store.spaceNames()).isEmpty();
      assertThat(store.items("items").count()).isZero();
    }
  }

  @Test
  void useAfterCloseIsAnException() {
    Store store = Store.inMemory();
    ItemSpace items = store.items("items");
    items.insert(Item.of(1));
    items.insert(Item.of(2));
    ItemCursor cursor = items.cursor();
    cursor.next();
    store.close();
    assertThatThrownBy(() -> items.insert(Item.of(3))).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> items.contains(Item.of(1))).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(cursor::next).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(items::commit).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(items::rollback).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(items::snapshot).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> items.update(Item.of(1), 0)).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void durabilityNoneIsForMemory() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      assertThatThrownBy(() -> items.commit(Durability.NONE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anInterruptLosesNoCommitAndStays() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      Thread.currentThread().interrupt();
      items.insert(Item.of("x"));
      items.commit();
      items.rollback();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(items.contains(Item.of("x"))).isTrue();
    }
  }

  /// The cursor reads components in place: the entry that it is on costs no garbage, whether it was
  /// committed or not.
  @Test
  void aScanAllocatesNothingPerItem() {
    int count = 200_000;
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      Item.Builder builder = Item.builder();
      for (int i = 0; i < count; i++) {
        items.insert(builder.clear().string("some").int64(i).float64(i).build());
        if (i == count * 9 / 10) {
          items.commit();
        }
      }
      ItemCursor cursor = items.cursor();
      sum(cursor, count); // makes arrays and classes
      long before = allocatedBytes();
      long sum = sum(cursor, count);
      long perItem = (allocatedBytes() - before) / count;
      assertThat(sum).isEqualTo((long) count * (count - 1));
      assertThat(perItem).as("bytes allocated per item").isZero();
    }
  }

  private static long sum(ItemCursor cursor, int count) {
    long sum = 0;
    int seen = 0;
    char[] text = new char[8];
    for (boolean on = cursor.first(); on; on = cursor.next()) {
      sum += cursor.longAt(1) + (long) cursor.doubleAt(2);
      assert cursor.readCharsAt(0, text) == 4;
      seen++;
    }
    assertThat(seen).isEqualTo(count);
    return sum;
  }

  private static long allocatedBytes() {
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  /// More changes than the budget holds, on the way to be rolled back: they are on disk, not on the
  /// heap; and what is committed concurrently stays in the cache.
  @Test
  void aRollbackOfMuchTakesNoMemory() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      items.insert(Item.of("kept"));
      items.commit();
      fill(items, 60_000);
      assertThat(store.spaceNames()).as("changes went to a layer").hasSize(2);
      assertThat(items.count()).isEqualTo(60_001);
      items.rollback();
      assertThat(items.scan()).containsExactly(Item.of("kept"));
      assertThat(store.spaceNames()).containsExactly("items");
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  @Test
  void aFullDiskLosesNoChange() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      items.insert(Item.of("kept"));
      items.commit();
      disk.capacityBytes(disk.usedBytes() + (1 << 20));
      long inserted = 0;
      try {
        while (inserted < 200_000) {
          items.insert(Item.of("more", "x".repeat(200), inserted++));
        }
      } catch (io.varve.StoreFullException e) {
        assertThat(items.count()).isEqualTo(inserted + 1);
      }
      assertThat(inserted).isLessThan(200_000);
      items.rollback();
      assertThat(items.scan()).containsExactly(Item.of("kept"));
      items.insert(Item.of("again"));
      disk.capacityBytes(Long.MAX_VALUE);
      items.commit();
      assertThat(items.count()).isEqualTo(2);
    }
  }

  /// Guards against a cursor that skipped what an uncommitted deletion hid, and stays past it when
  /// a rollback brings that back.
  @Test
  void aCursorSeesWhatARollbackBringsBack() {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("a");
      for (int i = 0; i < 3000; i++) {
        items.insert(Item.of("p", 2L * i));
      }
      items.commit(Durability.NONE);
      items.deleteSubspace(Item.of("p"));
      items.insert(Item.of("p", 1001L));
      ItemCursor cursor = items.cursor(Item.empty());
      assertThat(cursor.first()).isTrue();
      items.rollback();
      int rest = 0;
      while (cursor.next()) {
        rest++;
      }
      assertThat(rest).isEqualTo(2499);
    }
  }

  /// Guards against items of a dropped space in its successor.
  @Test
  void aDroppedItemSpaceTakesNothingMore() {
    try (Store store = Store.inMemory()) {
      ItemSpace dropped = store.items("a");
      dropped.insert(Item.of("old"));
      dropped.commit(Durability.NONE);
      store.dropSpace("a");
      ItemSpace successor = store.items("a");
      successor.insert(Item.of("fresh"));
      successor.commit(Durability.NONE);
      assertThatThrownBy(() -> dropped.insert(Item.of("older")))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> dropped.commit(Durability.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThat(successor.count(Item.empty())).isEqualTo(1);
    }
  }
}
