package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.item.Item;
import io.varve.spi.NonBlockingSpace;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A space with another durability, its asynchronous changes, its ends, and its name.
class SpaceViewTest {
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};
  private static final byte[] VALUE = {3};

  @TempDir Path directory;

  /// Nothing is forced within the time of a test but what asks for it.
  private Store openWeak() {
    return Store.open(
        directory,
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .log(log -> log.flushInterval(Duration.ofHours(1))));
  }

  private static void requireDurable(Store store, boolean expected) {
    Statistics figures = store.statistics();
    assertThat(figures.commits().durableLsn() >= figures.commits().lastLsn()).isEqualTo(expected);
  }

  private static void tried(@Nullable CompletionStage<Commit> change) {
    assertThat(change).isNotNull();
    change.toCompletableFuture().join();
  }

  @Test
  void eachChangeOfAViewHasItsDurability() {
    try (Store store = openWeak()) {
      Space weak = store.space("s");
      Space strong = weak.with(Durability.POWER_LOSS);
      assertThat(strong).isNotEqualTo(weak).hasToString("Space[s] with POWER_LOSS");
      NonBlockingSpace calls = NonBlockingSpace.of(strong);
      List<Runnable> changes =
          List.of(
              () -> strong.put(KEY, VALUE),
              () -> strong.put(KEY, new ByteArrayInputStream(VALUE), 1),
              () -> strong.getAndPut(KEY, OTHER),
              () -> strong.putIfAbsent(OTHER, VALUE),
              () -> strong.compareAndSet(KEY, OTHER, VALUE),
              () -> strong.merge(KEY, VALUE, (_, given) -> new byte[] {given[0], 0}),
              () -> strong.getAndDelete(OTHER),
              () -> strong.delete(KEY),
              () -> {
                weak.put(KEY, VALUE);
                strong.deleteRange(Range.all());
              },
              () -> {
                weak.put(KEY, VALUE);
                strong.clear();
              },
              () -> tried(calls.tryPut(KEY, VALUE)),
              () -> tried(calls.tryDelete(KEY)),
              () -> strong.async().put(KEY, VALUE).toCompletableFuture().join(),
              () -> strong.async().delete(KEY).toCompletableFuture().join(),
              () -> strong.async().space().put(KEY, VALUE));
      requireDurableAfterEach(store, changes);
      weak.with(Durability.POWER_LOSS).with(Durability.BACKGROUND).put(KEY, OTHER);
      requireDurable(store, false);
      assertThat(weak.async().put(KEY, VALUE)).isCompleted();
    }
  }

  @Test
  void eachChangeOfAMapWithADurabilityHasIt() {
    try (Store store = openWeak()) {
      OrderedMap<String, Long> weak = store.map("map", Codec.string(), Codec.int64());
      OrderedMap<String, Long> strong = weak.with(Durability.POWER_LOSS);
      requireDurableAfterEach(
          store,
          List.of(
              () -> strong.put("a", 1L),
              () -> strong.putAll(Map.of("b", 2L, "c", 3L)),
              () -> strong.merge("a", 1L, Long::sum),
              () -> strong.replaceAll((_, value) -> value + 1),
              () -> strong.headMap("b").put("a", 5L),
              () -> strong.descendingMap().pollFirstEntry(),
              () -> strong.keySet().remove("b"),
              () -> strong.entrySet().removeIf(entry -> entry.getValue() == 5),
              () -> {
                weak.put("a", 1L);
                strong.clear();
              },
              () -> strong.tailMap("a").with(Durability.POWER_LOSS).put("d", 1L),
              () -> strong.space().put(KEY, new byte[8])));
      strong.with(Durability.BACKGROUND).putAll(Map.of("e", 1L));
      requireDurable(store, false);
      assertThat(strong.tailMap("d").with(Durability.BACKGROUND)).containsOnlyKeys("d", "e");
      assertThat(strong).isEqualTo(weak);
    }
  }

  @Test
  void eachChangeOfASetWithADurabilityHasIt() {
    try (Store store = openWeak()) {
      OrderedSet<String> weak = store.set("set", Codec.string());
      OrderedSet<String> strong = weak.with(Durability.POWER_LOSS);
      requireDurableAfterEach(
          store,
          List.of(
              () -> strong.add("a"),
              () -> strong.addAll(List.of("a", "b", "c")),
              () -> strong.descendingSet().remove("c"),
              () -> strong.pollFirst(),
              () -> strong.retainAll(List.of()),
              () -> strong.subSet("d", "e").add("d"),
              () -> strong.clear()));
      strong.with(Durability.BACKGROUND).addAll(List.of("f"));
      requireDurable(store, false);
    }
  }

  private static void requireDurableAfterEach(Store store, List<Runnable> changes) {
    Space other = store.space("other");
    for (Runnable change : changes) {
      other.put(KEY, VALUE);
      requireDurable(store, false);
      change.run();
      requireDurable(store, true);
    }
  }

  @Test
  void aViewReadsWhatTheSpaceHolds() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      Space view = space.with(Durability.NONE);
      space.put(KEY, VALUE);
      assertThat(view.get(KEY)).isEqualTo(VALUE);
      assertThat(view.contains(KEY)).isTrue();
      assertThat(view.getAll(List.of(KEY, OTHER))).containsExactly(VALUE, null);
      assertThat(view.count(Range.all())).isEqualTo(1);
      assertThat(view.statistics().name()).isEqualTo("s");
      assertThat(view.store()).isSameAs(store);
      assertThat(view).isEqualTo(space.with(Durability.NONE)).isEqualTo(space);
      assertThat(view).hasSameHashCodeAs(space).hasToString("Space[s]");
      store.transact(tx -> tx.put(view, OTHER, VALUE));
      try (Snapshot snapshot = store.snapshot()) {
        assertThat(snapshot.get(view, OTHER)).isEqualTo(VALUE);
      }
    }
  }

  @Test
  void aDurabilityThatTheStoreCannotPromiseIsRefused() {
    try (Store store = openWeak()) {
      Space space = store.space("s");
      assertThatIllegalArgumentException().isThrownBy(() -> space.with(Durability.NONE));
      OrderedMap<String, Long> map = store.map("map", Codec.string(), Codec.int64());
      assertThatIllegalArgumentException().isThrownBy(() -> map.with(Durability.NONE));
      OrderedSet<String> set = store.set("set", Codec.string());
      assertThatIllegalArgumentException().isThrownBy(() -> set.with(Durability.NONE));
    }
  }

  @Test
  void endsAreThoseOfTheRange() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      assertThat(space.first(Range.all())).isNull();
      assertThat(space.last(Range.all())).isNull();
      space.put(KEY, VALUE);
      space.put(OTHER, KEY);
      assertThat(space.first(Range.all())).isEqualTo(new Entry(KEY, VALUE));
      assertThat(space.last(Range.all())).isEqualTo(new Entry(OTHER, KEY));
      assertThat(space.last(Range.lessThan(OTHER))).isEqualTo(new Entry(KEY, VALUE));
      assertThat(space.first(Range.greaterThan(OTHER))).isNull();
    }
  }

  @Test
  void clearRemovesEveryKeyInOneCommit() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(KEY, VALUE);
      space.put(OTHER, VALUE);
      long before = store.statistics().commits().applied();
      assertThat(space.clear()).isEqualTo(2);
      assertThat(store.statistics().commits().applied()).isEqualTo(before + 1);
      assertThat(space.clear()).isZero();
    }
  }

  @Test
  void aRenamedSpaceKeepsItsEntriesAndItsCodecs() {
    try (Store store = openWeak()) {
      store.map("old", Codec.string(), Codec.int64()).put("a", 1L);
      Space space = store.space("old");
      assertThat(store.renameSpace("old", "new")).isTrue();
      assertThat(store.renameSpace("old", "newer")).isFalse();
      assertThat(space.name()).isEqualTo("new");
      assertThat(store.spaceNames()).containsExactly("new");
      assertThat(store.findSpace("old")).isNull();
      store.checkpoint();
      assertThat(store.renameSpace("new", "newest")).isTrue();
      store.space("new").put(KEY, VALUE);
    }
    try (Store store = openWeak()) {
      assertThat(store.spaceNames()).containsExactly("new", "newest");
      assertThat(store.map("newest", Codec.string(), Codec.int64())).containsEntry("a", 1L);
      assertThat(store.space("new").get(KEY)).isEqualTo(VALUE);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.map("newest", Codec.string(), Codec.string()))
          .withMessageContaining("table=newest");
    }
  }

  @Test
  void namesThatASpaceCannotGetAreRefused() {
    try (Store store = Store.inMemory()) {
      store.space("a");
      store.space("b");
      store.items("items").insert(Item.of("x"));
      for (String name :
          List.of("b", "", "x".repeat(201), "\u0000dropped:9", "a~layer-0000000000000000001")) {
        assertThatIllegalArgumentException().isThrownBy(() -> store.renameSpace("a", name));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.renameSpace("items", "others"))
          .withMessageContaining("item space");
      assertThat(store.spaceNames()).containsExactly("a", "b", "items");
    }
  }

  @Test
  void aNameOfBeforeMayBeTakenAgain() {
    try (Store store = openWeak()) {
      store.space("a").put(KEY, VALUE);
      store.renameSpace("a", "b");
      store.space("a").put(KEY, OTHER);
      store.dropSpace("b");
      store.renameSpace("a", "b");
    }
    try (Store store = openWeak()) {
      assertThat(store.spaceNames()).containsExactly("b");
      assertThat(store.space("b").get(KEY)).isEqualTo(OTHER);
    }
  }
}
