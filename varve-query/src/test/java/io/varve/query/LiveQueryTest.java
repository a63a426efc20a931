package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Table;
import io.varve.Visibility;
import io.varve.query.LiveQuery.Change;
import io.varve.query.LiveQuery.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A live query reports each change of its answer once, in commit order.
class LiveQueryTest {
  /// A city, and as many bytes as a text names.
  private record Town(String city, String text) {}

  private static final Attribute<Town, String> CITY =
      Attribute.of("city", String.class, Town::city);

  private static final Table<Long, Town> TOWNS_OF =
      Table.of(
          "towns",
          Codec.int64(),
          Codec.of(
              town -> Codec.string().encode(town.city() + "|" + town.text()),
              bytes -> {
                String[] parts = Codec.string().decode(bytes).split("\\|", -1);
                return new Town(parts[0], parts[1]);
              }));

  private static final QueryTable<Long, Town> TOWNS =
      QueryTable.of(TOWNS_OF, Entity.of("town", Town.class, List.<Attribute<Town, ?>>of(CITY)))
          .index("city");

  private static Town town(String city) {
    return new Town(city, "");
  }

  private static void require(LiveQuery<Long, Town> live, Change<Long, Town> change) {
    Step<Long, Town> step = live.next(Duration.ZERO);
    assertThat(step).isNotNull();
    assertThat(step.changes()).containsExactly(change);
    assertThat(live.next(Duration.ZERO)).isNull();
  }

  @Test
  void rowsComeChangeAndGo() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Town> towns = TOWNS.open(store);
      Town large = new Town("Bonn", "x".repeat(100_000));
      towns.map().put(1L, town("Bonn"));
      towns.map().put(2L, large);
      towns.map().put(3L, town("Ulm"));
      try (LiveQuery<Long, Town> live = towns.where(CITY.eq("Bonn")).live()) {
        LiveQuery.Answer<Long, Town> first = live.start();
        assertThat(first.commit()).isEqualTo(store.lastCommit());
        assertThat(first.entries())
            .containsExactlyInAnyOrder(Map.entry(1L, town("Bonn")), Map.entry(2L, large));
        towns.map().put(3L, town("Bonn"));
        require(live, new Change<>(3L, null, town("Bonn")));
        towns.map().put(3L, large);
        require(live, new Change<>(3L, town("Bonn"), large));
        towns.map().put(3L, town("Ulm"));
        require(live, new Change<>(3L, large, null));
        towns.map().remove(3L);
        assertThat(live.next(Duration.ZERO)).isNull();
        towns.map().remove(2L);
        require(live, new Change<>(2L, large, null));
        towns.where(CITY.eq("Bonn")).delete();
        require(live, new Change<>(1L, town("Bonn"), null));
      }
    }
  }

  @Test
  void whatIsNotSupportedIsRefused() {
    try (Store store = Store.inMemory();
        Snapshot snapshot = store.snapshot()) {
      Queryable<Long, Town> towns = TOWNS.open(store);
      assertThatThrownBy(towns.in(snapshot).all()::live)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("a live query");
      assertThatThrownBy(towns.all().limit(9_999).offset(2)::live)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rowsMax=10000");
      Queries queries = Queries.of(store).table(towns);
      for (String text :
          List.of(
              "select count(*) from towns",
              "select distinct city from towns",
              "from towns t join towns u on u.city = t.city")) {
        assertThatThrownBy(queries.query(text)::live)
            .as(text)
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("a live query");
      }
      assertThatThrownBy(queries.query("delete from towns")::live)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void readerThatIsTooSlowGetsANewAnswer() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Town> towns = TOWNS.open(store);
      try (LiveQuery<Long, Town> live = towns.all().live(Visibility.APPLIED, 1000)) {
        assertThat(live.start().entries()).isEmpty();
        for (long key = 0; key < 100; key++) {
          towns.map().put(key, town("Bonn"));
        }
        Step<Long, Town> step = live.next(Duration.ZERO);
        while (step != null && !step.areMissed()) {
          step = live.next(Duration.ZERO);
        }
        assertThat(step).isNotNull();
        assertThat(live.start().entries()).hasSize(100);
        towns.map().put(7L, town("Ulm"));
        require(live, new Change<>(7L, town("Bonn"), town("Ulm")));
      }
    }
  }

  /// A change that a codec fails at is lost for the answer, so no later one may be reported.
  @Test
  void answerThatIsNotKnownIsAskedForAgain() {
    AtomicInteger failures = new AtomicInteger();
    Codec<Town> failing =
        Codec.of(
            TOWNS_OF.values()::encode,
            bytes -> {
              if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new StackOverflowError();
              }
              return TOWNS_OF.values().decode(bytes);
            });
    try (Store store = Store.inMemory()) {
      Queryable<Long, Town> towns =
          QueryTable.of(
                  Table.of("towns", Codec.int64(), failing),
                  Entity.of("town", Town.class, List.<Attribute<Town, ?>>of(CITY)))
              .open(store);
      for (Found<Long, Town> asked : List.of(towns.all(), towns.all().limit(3))) {
        towns.all().delete();
        try (LiveQuery<Long, Town> live = asked.live()) {
          live.start();
          towns.map().put(1L, town("Bonn"));
          towns.map().put(2L, town("Ulm"));
          failures.set(1);
          assertThatThrownBy(() -> live.next(Duration.ZERO)).isInstanceOf(StackOverflowError.class);
          requireUnknown(live);
          failures.set(1);
          assertThatThrownBy(live::start).isInstanceOf(StackOverflowError.class);
          requireUnknown(live);
          assertThat(live.start().entries()).hasSize(2);
          towns.map().remove(2L);
          require(live, new Change<>(2L, town("Ulm"), null));
        }
      }
    }
  }

  private static void requireUnknown(LiveQuery<Long, Town> live) {
    assertThatThrownBy(() -> live.next(Duration.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call start");
  }

  @Test
  void timeoutsBelowZeroAreNoWait() {
    try (Store store = Store.inMemory();
        LiveQuery<Long, Town> live = TOWNS.open(store).all().live()) {
      live.start();
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () -> assertThat(live.next(Duration.ofSeconds(Long.MIN_VALUE))).isNull());
      assertThat(waiting).succeedsWithin(Duration.ofSeconds(20));
    }
  }

  private static void change(Store store, Queryable<Long, Town> towns, SplittableRandom random) {
    Space space = towns.indexes().space();
    long key = random.nextLong(100);
    boolean isLong = random.nextInt(10) == 0;
    Town town =
        new Town(random.nextBoolean() ? "Bonn" : "Ulm", (isLong ? "x".repeat(5000) : "") + key);
    switch (random.nextInt(6)) {
      case 0 -> towns.map().remove(key);
      case 1 ->
          space.deleteRange(Range.closed(Codec.int64().encode(key), Codec.int64().encode(key + 3)));
      case 2 ->
          store.transact(tx -> {
            towns.in(tx).map().put(key, town);
            towns.in(tx).map().remove((key * 7) % 100);
          });
      default -> towns.map().put(key, town);
    }
  }

  /// An answer that follows what is reported.
  private static final class Follower {
    private final LiveQuery<Long, Town> live;
    private final Map<Long, Town> rows = new HashMap<>();
    private Commit at = new Commit(0);
    private @Nullable Step<Long, Town> later;

    Follower(LiveQuery<Long, Town> live) {
      this.live = live;
      LiveQuery.Answer<Long, Town> first = live.start();
      first.entries().forEach(row -> rows.put(row.getKey(), row.getValue()));
      at = first.commit();
    }

    void follow(Commit to) {
      for (Step<Long, Town> step = next(); step != null; step = next()) {
        assertThat(step.areMissed()).isFalse();
        if (step.commit().isAfter(to)) {
          later = step;
          return;
        }
        assertThat(step.commit()).isGreaterThan(at);
        at = step.commit();
        for (Change<Long, Town> change : step.changes()) {
          Town before =
              change.after() == null
                  ? rows.remove(change.key())
                  : rows.put(change.key(), change.after());
          assertThat(before).isEqualTo(change.before());
        }
      }
    }

    private @Nullable Step<Long, Town> next() {
      Step<Long, Town> step = later == null ? live.next(Duration.ZERO) : later;
      later = null;
      return step;
    }
  }

  @Test
  void changesGiveTheAnswerOfEachSnapshotWhileOthersWrite() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Town> towns = TOWNS.open(store);
      AtomicInteger running = new AtomicInteger(8);
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 8; writer++) {
        SplittableRandom random = new SplittableRandom(writer);
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    for (int i = 0; i < 300; i++) {
                      change(store, towns, random);
                    }
                  } finally {
                    running.decrementAndGet();
                  }
                },
                task -> Thread.ofPlatform().start(task)));
      }
      Found<Long, Town> bonn = towns.where(CITY.eq("Bonn"));
      try (LiveQuery<Long, Town> live = bonn.live(Visibility.APPLIED, 256 << 20)) {
        Follower follower = new Follower(live);
        boolean isOver = false;
        while (!isOver) {
          isOver = running.get() == 0;
          try (Snapshot snapshot = store.snapshot()) {
            follower.follow(snapshot.lastCommit());
            Map<Long, Town> wanted =
                towns
                    .in(snapshot)
                    .where(CITY.eq("Bonn"))
                    .entries()
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            assertThat(follower.rows).isEqualTo(wanted);
          }
        }
        writers.forEach(CompletableFuture::join);
      }
    }
  }
}
