package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables whose entries end, by a clock that the test moves.
@Timeout(60)
class ExpiringTableTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final InstantSource clock = now::get;
  private final ExpiringTable<String, String> table =
      ExpiringTable.of("sessions", Codec.string(), Codec.string(), MINUTE).clock(clock);
  @TempDir Path directory;

  private void move(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  @Test
  void anEntryEndsAtItsTimeAndNotBefore() {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      map.put("a", "1");
      table.ttl(Duration.ofSeconds(10)).open(store).put("b", "2");
      table.ttl(ChronoUnit.FOREVER.getDuration()).open(store).put("c", "3");
      assertThat(table.expiresAt(store, "b")).contains(Instant.EPOCH.plusSeconds(10));
      assertThat(table.expiresAt(store, "c")).contains(Instant.MAX);
      move(Duration.ofMillis(9_999));
      assertThat(map).isEqualTo(Map.of("a", "1", "b", "2", "c", "3"));
      move(Duration.ofMillis(1));
      assertThat(map.get("b")).isNull();
      assertThat(table.expiresAt(store, "b")).isEmpty();
      assertThat(map).isEqualTo(Map.of("a", "1", "c", "3")).hasSize(2);
      move(MINUTE);
      assertThat(map).isEqualTo(Map.of("c", "3")).hasSize(1);
      store.verify();
    }
  }

  /// Times before 1970 are negative: what was put then never ended.
  @Test
  void anEntryPutBefore1970EndsAtItsTime() {
    now.set(Instant.parse("1960-01-01T00:00:00Z"));
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      map.put("a", "1");
      table.ttl(ChronoUnit.FOREVER.getDuration()).open(store).put("c", "3");
      assertThat(table.expiresAt(store, "a")).contains(Instant.parse("1960-01-01T00:01:00Z"));
      move(MINUTE);
      assertThat(map).isEqualTo(Map.of("c", "3")).hasSize(1);
      assertThat(table.purge(store)).isEqualTo(1);
      move(Duration.ofDays(365 * 400L));
      assertThat(map).isEqualTo(Map.of("c", "3")).hasSize(1);
      store.verify().requireSound();
    }
  }

  /// The last time that a clock can give: ends were counted from the first one there.
  @Test
  void atTheLastTimeAllHasEndedButWhatNeverDoes() {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      map.put("a", "1");
      table.ttl(ChronoUnit.FOREVER.getDuration()).open(store).put("c", "3");
      now.set(Instant.ofEpochMilli(Long.MAX_VALUE));
      assertThat(map).isEqualTo(Map.of("c", "3")).hasSize(1);
      assertThat(table.purge(store)).isEqualTo(1);
      map.put("b", "2"); // later than any end is never
      assertThat(map).isEqualTo(Map.of("b", "2", "c", "3")).hasSize(2);
    }
  }

  /// Each call of a map takes an entry that has ended for none, whether or not a purge came by.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatHasEndedIsAbsent(boolean purged) {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      for (String key : List.of("a", "c", "e")) {
        map.put(key, "ended");
      }
      move(MINUTE);
      map.put("b", "1");
      map.put("d", "2");
      if (purged) {
        assertThat(table.purge(store)).isEqualTo(3);
      }
      assertThat(map.containsKey("a")).isFalse();
      assertThat(map.firstKey()).isEqualTo("b");
      assertThat(map.lastKey()).isEqualTo("d");
      assertThat(map.ceilingKey("c")).isEqualTo("d");
      assertThat(map.floorKey("c")).isEqualTo("b");
      assertThat(map.descendingMap().keySet()).containsExactly("d", "b");
      assertThat(map.subMap("a", "d")).containsExactly(Map.entry("b", "1")).hasSize(1);
      assertThat(map.values().stream()).containsExactly("1", "2");
      assertThat(map.containsValue("ended")).isFalse();
      assertThat(map.replace("a", "x")).isNull();
      assertThat(map.remove("c")).isNull();
      assertThat(map.remove("e", "ended")).isFalse();
      assertThat(map.putIfAbsent("a", "new")).isNull();
      assertThat(map.merge("c", "new", String::concat)).isEqualTo("new");
      assertThat(map.compute("e", (_, old) -> old + "!")).isEqualTo("null!");
      assertThat(map.pollFirstEntry()).isEqualTo(Map.entry("a", "new"));
      assertThat(map.put("a", "again")).isNull();
      assertThat(map.keySet()).containsExactly("a", "b", "c", "d", "e");
      store.verify();
    }
  }

  /// A change of a value gives the entry a new time, and a read none.
  @Test
  void aPutBeginsTheTimeAgain() {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      map.put("a", "1");
      move(Duration.ofSeconds(40));
      map.get("a");
      assertThat(table.expiresAt(store, "a")).contains(Instant.EPOCH.plusSeconds(60));
      map.merge("a", "2", String::concat);
      assertThat(table.expiresAt(store, "a")).contains(Instant.EPOCH.plusSeconds(100));
      move(Duration.ofSeconds(40));
      assertThat(map.get("a")).isEqualTo("12");
      assertThat(table.purge(store)).isZero();
    }
  }

  @Test
  void aTableWithEmptyValuesIsASetWhoseElementsEnd() {
    ExpiringTable<String, byte[]> seen =
        ExpiringTable.of("seen", Codec.string(), Codec.bytes(), MINUTE).clock(table.clock());
    try (Store store = Store.inMemory()) {
      OrderedMap<String, byte[]> map = seen.open(store);
      assertThat(map.putIfAbsent("a", new byte[0])).isNull();
      assertThat(map.putIfAbsent("a", new byte[0])).isEmpty();
      move(Duration.ofSeconds(30));
      map.put("b", new byte[0]);
      assertThat(map.navigableKeySet()).containsExactly("a", "b");
      move(Duration.ofSeconds(30));
      assertThat(map.navigableKeySet()).containsExactly("b");
      assertThat(map.putIfAbsent("a", new byte[0])).isNull();
      store.verify();
    }
  }

  @Test
  void aTransactionGoesByTheTimeOfItsOpen() {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      map.put("a", "1");
      store.transact(tx -> {
        OrderedMap<String, String> own = table.open(tx);
        own.put("b", "2");
        move(MINUTE);
        assertThat(own).isEqualTo(Map.of("a", "1", "b", "2")).hasSize(2);
        assertThat(table.open(tx)).isEmpty();
      });
      assertThat(map).isEmpty();
      store.transact(tx -> table.open(tx).put("c", "3"));
      assertThat(map).isEqualTo(Map.of("c", "3"));
      assertThatThrownBy(() ->
              store.transact(tx -> {
                table.open(tx).put("d", "4");
                throw new IllegalStateException("rolled back");
              }))
          .hasMessage("rolled back");
      assertThat(map).isEqualTo(Map.of("c", "3"));
      store.verify();
    }
  }

  /// What a snapshot shows stays, though its entries end and a purge removes them.
  @Test
  void aSnapshotShowsWhatHadNotEnded() {
    try (Store store = Store.inMemory()) {
      table.open(store).put("a", "1");
      try (Snapshot snapshot = store.snapshot()) {
        OrderedMap<String, String> seen = table.open(snapshot);
        move(MINUTE);
        assertThat(table.purge(store)).isEqualTo(1);
        assertThat(seen).isEqualTo(Map.of("a", "1")).hasSize(1);
        assertThat(table.open(snapshot)).isEmpty();
        assertThatThrownBy(() -> seen.put("b", "2"))
            .isInstanceOf(UnsupportedOperationException.class);
      }
      assertThat(table.open(store)).isEmpty();
    }
  }

  @Test
  void endsAreKeptByTheStore() {
    try (Store store = Store.open(directory)) {
      table.open(store).put("a", "1");
      table.ttl(Duration.ofHours(1)).open(store).put("b", "2");
    }
    move(MINUTE);
    try (Store store = Store.open(directory)) {
      OrderedMap<String, String> map = table.open(store);
      assertThat(map).isEqualTo(Map.of("b", "2"));
      assertThat(table.expiresAt(store, "b")).contains(Instant.EPOCH.plusSeconds(3600));
      assertThat(table.purge(store)).isEqualTo(1);
      assertThat(store.space("sessions").count(Range.all())).isEqualTo(1);
      store.verify();
    }
  }

  /// A purge of more than one batch, concurrently with puts of the same keys, removes nothing else.
  @Test
  void aPurgeRemovesWhatHasEndedAlone() throws Exception {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      store.transact(tx -> {
        OrderedMap<String, String> own = table.open(tx);
        for (int i = 0; i < 5000; i++) {
          own.put("k" + i, "old");
        }
      });
      move(MINUTE);
      Thread putting =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 5000; i += 5) {
                  map.put("k" + i, "new");
                }
              });
      long removed = table.purge(store);
      while (putting.isAlive()) {
        removed += table.purge(store);
      }
      removed += table.purge(store);
      assertThat(removed).isBetween(4000L, 5000L);
      assertThat(map).hasSize(1000);
      assertThat(map.values()).containsOnly("new");
      assertThat(store.space("sessions").count(Range.all())).isEqualTo(1000);
      store.verify();
    }
  }

  /// Random changes through stores, transactions and snapshots, compared with a map of ends.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void agreesWithAModel(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<String, Map.Entry<String, Instant>> model = new TreeMap<>();
    try (Store store = Store.inMemory()) {
      table.open(store);
      for (int step = 0; step < 3000; step++) {
        String key = "k" + random.nextInt(60);
        Duration life = Duration.ofSeconds(1 + random.nextInt(100));
        ExpiringTable<String, String> chosen = table.ttl(life);
        String value = "v" + step;
        switch (random.nextInt(6)) {
          case 0 -> {
            chosen.open(store).put(key, value);
            model.put(key, Map.entry(value, now.get().plus(life)));
          }
          case 1 -> {
            store.transact(tx -> chosen.open(tx).put(key, value));
            model.put(key, Map.entry(value, now.get().plus(life)));
          }
          case 2 -> {
            chosen.open(store).remove(key);
            model.remove(key);
          }
          case 3 -> move(Duration.ofSeconds(random.nextInt(5)));
          case 4 -> table.purge(store);
          default -> {
            if (chosen.open(store).putIfAbsent(key, value) == null) {
              model.put(key, Map.entry(value, now.get().plus(life)));
            }
          }
        }
        model.values().removeIf(entry -> !entry.getValue().isAfter(now.get()));
        NavigableMap<String, String> expected = new TreeMap<>();
        model.forEach((each, entry) -> expected.put(each, entry.getKey()));
        if (step % 50 == 0) {
          assertThat(table.open(store)).as("seed=%s", seed).isEqualTo(expected);
          assertThat(table.open(store)).hasSize(expected.size());
          try (Snapshot snapshot = store.snapshot()) {
            assertThat(new ArrayList<>(table.open(snapshot).descendingMap().entrySet()))
                .isEqualTo(new ArrayList<>(expected.descendingMap().entrySet()));
            assertThat(table.open(snapshot).headMap("k3")).hasSize(expected.headMap("k3").size());
          }
        }
      }
      store.verify();
    }
  }

  @Test
  void otherTablesAreRefused() {
    try (Store store = Store.inMemory()) {
      store.open(Table.of("plain", Codec.string(), Codec.string())).put("a", "1");
      assertThatThrownBy(
              () -> ExpiringTable.of("plain", Codec.string(), Codec.string(), MINUTE).open(store))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("written=string, given=ending(string)");
      table.open(store);
      assertThatThrownBy(() -> store.open(Table.of("sessions", Codec.string(), Codec.string())))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("written=ending(string), given=string");
      assertThatThrownBy(() ->
              store.transact(
                  tx -> ExpiringTable.of("other", Codec.string(), Codec.string()).open(tx)))
          .isInstanceOf(RuntimeException.class);
      assertThatThrownBy(() -> table.ttl(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ttl=PT0S");
    }
  }

  @Test
  void aPeriodicPurgeRemovesUntilItIsClosed() {
    try (Store store = Store.inMemory()) {
      OrderedMap<String, String> map = table.open(store);
      Space stored = store.space("sessions");
      map.put("a", "1");
      move(MINUTE);
      PeriodicPurge purge = table.purgeEvery(store, Duration.ofMillis(1));
      awaitUntil(() -> stored.count(Range.all()) == 0);
      map.put("b", "2");
      move(MINUTE);
      awaitUntil(() -> stored.count(Range.all()) == 0);
      purge.close();
      purge.close(); // does nothing
      assertThatThrownBy(() -> table.purgeEvery(store, Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("period=PT0S");
    }
  }

  @Test
  void aPeriodicPurgeIsRefusedBeforeTheTableIsOpened() {
    try (Store store = Store.inMemory()) {
      assertThatThrownBy(() -> table.purgeEvery(store, MINUTE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> table.purge(store)).isInstanceOf(IllegalArgumentException.class);
      assertThat(store.spaceNames()).isEmpty();
    }
  }

  /// What a purge throws does not end those that follow, whatever it is.
  @Test
  void aPeriodicPurgeContinuesAfterAnErrorAndADrop() {
    var fails = new AtomicBoolean(true);
    var failed = new AtomicBoolean();
    InstantSource failing =
        () -> {
          if (Thread.currentThread().isVirtual() && fails.get()) {
            failed.set(true);
            throw new AssertionError("a clock that fails");
          }
          return now.get();
        };
    try (Store store = Store.inMemory()) {
      table.open(store).put("a", "1");
      move(MINUTE);
      table.clock(failing).purgeEvery(store, Duration.ofMillis(1));
      awaitUntil(failed::get);
      fails.set(false);
      awaitUntil(() -> store.space("sessions").count(Range.all()) == 0);

      assertThat(store.dropSpace("sessions")).isTrue();
      assertThat(store.spaceNames()).isEmpty();
      table.open(store).put("b", "2");
      move(MINUTE);
      awaitUntil(() -> store.space("sessions").count(Range.all()) == 0);
    }
  }

  /// A purge is under way while the store is closed, and while others write.
  @Test
  void aPeriodicPurgeEndsWithItsStore() {
    for (int i = 0; i < 5; i++) {
      Store store = Store.open(directory);
      OrderedMap<String, String> map = table.open(store).with(Durability.BACKGROUND);
      for (int k = 0; k < 3000; k++) {
        map.put(Integer.toString(k), "ended");
      }
      move(MINUTE);
      var begun = new AtomicBoolean();
      InstantSource seen =
          () -> {
            begun.set(begun.get() || Thread.currentThread().isVirtual());
            return now.get();
          };
      PeriodicPurge purge = table.clock(seen).purgeEvery(store, Duration.ofNanos(1));
      awaitUntil(begun::get);
      store.close();
      purge.close();
    }
    try (Store store = Store.open(directory)) {
      table.open(store);
      table.purge(store);
      assertThat(store.space("sessions").count(Range.all())).isZero();
      store.verify().requireSound();
    }
  }

  /// Looks again until it is so; the class has a time limit.
  private static void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }
}
