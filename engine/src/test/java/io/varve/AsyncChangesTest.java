package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changes of spaces, maps and sets whose durability is awaited by stages: each gives what its
/// namesake gives, with its commit.
class AsyncChangesTest {
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};
  private static final byte[] VALUE = {3};

  private static final Table<String, Long> TABLE = Table.of("map", Codec.string(), Codec.int64());
  private static final TableSet<String> SET = TableSet.of("set", Codec.string());

  @TempDir Path directory;

  /// Nothing is forced within the time of a test but what asks for it.
  private Store open() {
    return Store.open(
        directory,
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .log(log -> log.flushInterval(Duration.ofHours(1))));
  }

  /// A change is visible when its call returns. Its stage gives the newest commit of the store,
  /// which is durable then.
  private static <T extends @Nullable Object> T changed(
      Store store, Supplier<CompletionStage<Written<T>>> change) {
    Commit before = store.lastCommit();
    CompletionStage<Written<T>> stage = change.get();
    Commit applied = store.lastCommit();
    assertThat(applied).isGreaterThan(before);
    Written<T> written = stage.toCompletableFuture().join();
    assertThat(written.commit()).isEqualTo(applied);
    assertThat(store.statistics().commits().durableLsn()).isGreaterThanOrEqualTo(applied.lsn());
    return written.value();
  }

  private static <T extends @Nullable Object> T unchanged(
      Store store, Supplier<CompletionStage<Written<T>>> change) {
    Commit before = store.lastCommit();
    CompletionStage<Written<T>> stage = change.get();
    assertThat(stage).isCompleted();
    Written<T> written = stage.toCompletableFuture().join();
    assertThat(written.commit()).isNull();
    assertThat(store.lastCommit()).isEqualTo(before);
    return written.value();
  }

  @Test
  void changesOfASpaceGiveTheirValueAndTheirCommit() {
    try (Store store = open()) {
      Space space = store.space("s").with(Durability.POWER_LOSS);
      AsyncSpace async = space.async();
      assertThat(changed(store, () -> async.getAndPut(KEY, VALUE))).isNull();
      assertThat(changed(store, () -> async.getAndPut(KEY, OTHER))).isEqualTo(VALUE);
      assertThat(unchanged(store, () -> async.putIfAbsent(KEY, VALUE))).isEqualTo(OTHER);
      assertThat(changed(store, () -> async.putIfAbsent(OTHER, VALUE))).isNull();
      assertThat(unchanged(store, () -> async.compareAndSet(KEY, VALUE, KEY))).isFalse();
      assertThat(changed(store, () -> async.compareAndSet(KEY, OTHER, VALUE))).isTrue();
      assertThat(changed(store, () -> async.merge(KEY, KEY, (_, given) -> given))).isEqualTo(KEY);
      assertThat(changed(store, () -> async.merge(KEY, KEY, (_, _) -> null))).isNull();
      assertThat(unchanged(store, () -> async.getAndDelete(KEY))).isNull();
      assertThat(changed(store, () -> async.getAndDelete(OTHER))).isEqualTo(VALUE);
      Commit put = async.put(KEY, new ByteArrayInputStream(VALUE), 1).toCompletableFuture().join();
      assertThat(put).isEqualTo(store.lastCommit());
      assertThat(space.get(KEY)).isEqualTo(VALUE);
      assertThat(changed(store, () -> async.deleteRange(Range.all()))).isEqualTo(1);
      assertThat(unchanged(store, async::clear)).isZero();
    }
  }

  @Test
  void changesOfASpaceRefuseWhatTheSpaceRefuses() {
    try (Store store = open()) {
      AsyncSpace async = store.space("s").async();
      assertThatThrownBy(() -> async.getAndPut(KEY, null)).isInstanceOf(NullPointerException.class);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> async.putIfAbsent(new byte[Space.KEY_BYTES_MAX + 1], VALUE));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> async.put(KEY, new ByteArrayInputStream(VALUE), -1));
    }
  }

  @Test
  void changesOfAMapGiveTheirValueAndTheirCommit() {
    try (Store store = open()) {
      OrderedMap<String, Long> map = store.open(TABLE).with(Durability.POWER_LOSS);
      AsyncMap<String, Long> async = map.async();
      assertThat(async.map()).isSameAs(map);
      assertThat(changed(store, () -> async.put("a", 1L))).isNull();
      assertThat(changed(store, () -> async.put("a", 2L))).isEqualTo(1);
      assertThat(unchanged(store, () -> async.putIfAbsent("a", 3L))).isEqualTo(2);
      assertThat(changed(store, () -> async.putIfAbsent("b", 3L))).isNull();
      assertThat(unchanged(store, () -> async.replace("c", 3L))).isNull();
      assertThat(changed(store, () -> async.replace("b", 4L))).isEqualTo(3);
      assertThat(unchanged(store, () -> async.replace("b", 3L, 5L))).isFalse();
      assertThat(changed(store, () -> async.replace("b", 4L, 5L))).isTrue();
      assertThat(unchanged(store, () -> async.remove("b", 4L))).isFalse();
      assertThat(changed(store, () -> async.remove("b", 5L))).isTrue();
      assertThat(unchanged(store, () -> async.remove("b"))).isNull();
      assertThat(changed(store, () -> async.remove("a"))).isEqualTo(2);
      assertThat(map).isEmpty();
    }
  }

  @Test
  void changesOfAMapByFunctionsGiveTheirValueAndTheirCommit() {
    try (Store store = open()) {
      OrderedMap<String, Long> map = store.open(TABLE).with(Durability.POWER_LOSS);
      AsyncMap<String, Long> async = map.async();
      assertThat(changed(store, () -> async.compute("a", (_, old) -> old == null ? 1L : old + 1)))
          .isEqualTo(1);
      assertThat(unchanged(store, () -> async.compute("b", (_, _) -> null))).isNull();
      assertThat(unchanged(store, () -> async.computeIfAbsent("a", _ -> 9L))).isEqualTo(1);
      assertThat(changed(store, () -> async.computeIfAbsent("b", _ -> 2L))).isEqualTo(2);
      assertThat(unchanged(store, () -> async.computeIfPresent("c", (_, old) -> old))).isNull();
      assertThat(changed(store, () -> async.computeIfPresent("b", (_, old) -> old + 1)))
          .isEqualTo(3);
      assertThat(changed(store, () -> async.merge("a", 5L, Long::sum))).isEqualTo(6);
      assertThat(unchanged(store, () -> async.putAll(Map.of()))).isZero();
      assertThat(changed(store, () -> async.putAll(Map.of("c", 7L, "d", 8L)))).isEqualTo(2);
      assertThat(map).isEqualTo(Map.of("a", 6L, "b", 3L, "c", 7L, "d", 8L));
      AsyncMap<String, Long> part = map.tailMap("c").async();
      assertThatIllegalArgumentException().isThrownBy(() -> part.put("a", 1L));
      assertThat(changed(store, part::clear)).isEqualTo(2);
      assertThat(unchanged(store, part::clear)).isZero();
      assertThat(map).containsOnlyKeys("a", "b");
    }
  }

  @Test
  void changesOfASetGiveTheirValueAndTheirCommit() {
    try (Store store = open()) {
      OrderedSet<String> set = store.open(SET).with(Durability.POWER_LOSS);
      AsyncSet<String> async = set.async();
      assertThat(async.set()).isSameAs(set);
      assertThat(changed(store, () -> async.add("a"))).isTrue();
      assertThat(unchanged(store, () -> async.add("a"))).isFalse();
      assertThat(changed(store, () -> async.addAll(List.of("a", "b", "c")))).isTrue();
      assertThat(unchanged(store, () -> async.addAll(List.of("b")))).isFalse();
      assertThat(unchanged(store, () -> async.addAll(List.of()))).isFalse();
      assertThat(changed(store, () -> async.remove("b"))).isTrue();
      assertThat(unchanged(store, () -> async.remove("b"))).isFalse();
      assertThat(changed(store, set.headSet("b").async()::clear)).isEqualTo(1);
      assertThat(set).containsExactly("c");
    }
  }

  /// What a transaction changes is awaited by its commit, and a map from outside would commit on
  /// its own.
  @Test
  void transactionsAndSnapshotsRefuseThem() {
    try (Store store = open()) {
      OrderedMap<String, Long> map = store.open(TABLE);
      AsyncMap<String, Long> async = map.async();
      OrderedSet<String> set = store.open(SET);
      store.transact(tx -> {
        assertThatThrownBy(() -> tx.open(TABLE).async())
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("commitAsync");
        assertThatThrownBy(() -> tx.open(SET).async())
            .isInstanceOf(UnsupportedOperationException.class);
        assertThatIllegalStateException().isThrownBy(() -> async.put("a", 1L));
        assertThatIllegalStateException().isThrownBy(() -> async.putAll(Map.of("a", 1L)));
        assertThatIllegalStateException().isThrownBy(async::clear);
        assertThatIllegalStateException().isThrownBy(() -> set.async().addAll(List.of("a")));
      });
      try (Snapshot snapshot = store.snapshot()) {
        assertThatThrownBy(() -> snapshot.open(TABLE).async())
            .isInstanceOf(UnsupportedOperationException.class);
      }
      assertThat(map).isEmpty();
    }
  }

  @Test
  void storesInMemoryHaveThem() {
    try (Store store = Store.inMemory()) {
      AsyncMap<String, Long> async = store.open(TABLE).async();
      Written<@Nullable Long> put = async.put("a", 1L).toCompletableFuture().join();
      assertThat(put.commit()).isEqualTo(store.lastCommit());
      assertThat(async.clear().toCompletableFuture().join().value()).isEqualTo(1);
    }
  }

  /// A change that is added to a space, a map or a set has to get its form that is not awaited.
  @Test
  void eachHasTheFormOfItsNamesake() {
    Set<String> changes =
        Set.of(
            "put",
            "delete",
            "getAndPut",
            "putIfAbsent",
            "compareAndSet",
            "getAndDelete",
            "merge",
            "deleteRange",
            "clear");
    assertThat(methods(AsyncSpace.class))
        .isEqualTo(
            methods(Space.class).stream()
                .filter(each -> changes.contains(each.substring(0, each.indexOf('('))))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Set<String> methods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !method.getName().equals("space"))
        .map(AsyncChangesTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return method.getName() + "(" + Arrays.toString(method.getParameterTypes()) + ")";
  }
}
