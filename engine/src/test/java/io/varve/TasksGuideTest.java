package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.admin.Backups;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the code of docs/TASKS.md, as it is there.
class TasksGuideTest {
  @TempDir Path directory;

  private Store store;

  static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());

  @BeforeEach
  void open() {
    store = Store.open(directory.resolve("shop"));
  }

  @AfterEach
  void close() {
    store.verify().requireSound();
    store.close();
  }

  static final Table<Tuple2<String, String>, Long> FILES = // folder and name, to length
      Table.of("files", Codec.tuple(Codec.string(), Codec.string()), Codec.int64());

  @Test
  void prefix() {
    OrderedMap<Tuple2<String, String>, Long> files = store.open(FILES);
    NavigableMap<Tuple2<String, String>, Long> photos =
        files.subMap(
            new Tuple2<>("photos", ""), new Tuple2<>("photos\0", "")); // \0: the next string
    files.put(new Tuple2<>("photo", "z"), 1L);
    files.put(new Tuple2<>("photos", ""), 2L);
    files.put(new Tuple2<>("photos", "\uFFFF"), 3L);
    files.put(new Tuple2<>("photos2", "a"), 4L);
    assertThat(photos.values()).containsExactly(2L, 3L);
  }

  static final Table<String, Long> VISITS = Table.of("visits", Codec.string(), Codec.int64());

  @Test
  void counter() {
    store.open(VISITS).merge("/index", 1L, Long::sum);
    store
        .open(VISITS)
        .with(Durability.BACKGROUND)
        .merge("/index", 1L, Long::sum); // does not wait for the disk
    assertThat(store.open(VISITS)).containsEntry("/index", 2L);
  }

  static final Table<Instant, String> JOBS = Table.of("jobs", Codec.instant(), Codec.string());
  static final Table<String, Long> DONE = Table.of("done", Codec.string(), Codec.int64());

  @Test
  void queue() {
    store.open(JOBS).put(Instant.EPOCH, "sweep");
    assertThat(work()).isTrue();
    assertThat(work()).isFalse();
    assertThat(store.open(DONE)).containsEntry("sweep", 1L);
  }

  private boolean work() {
    boolean worked =
        store.transactAndGet(tx -> {
          Map.Entry<Instant, String> job = tx.open(JOBS).pollFirstEntry();
          if (job == null) {
            return false;
          }
          tx.open(DONE).merge(job.getValue(), 1L, Long::sum);
          return true;
        });
    return worked;
  }

  static final Table<Tuple2<String, Instant>, Double> READINGS =
      Table.of("readings", Codec.tuple(Codec.string(), Codec.instant()), Codec.float64());

  @Test
  void timeSeries() {
    Instant now = Instant.parse("2026-11-24T00:00:00Z");
    Instant weekAgo = now.minus(Duration.ofDays(7));
    store.open(READINGS).put(new Tuple2<>("boiler", weekAgo.minusNanos(1)), 20.0);
    store.open(READINGS).put(new Tuple2<>("boiler", now.minusSeconds(60)), 60.5);
    OrderedMap<Tuple2<String, Instant>, Double> readings = store.open(READINGS);
    readings.with(Durability.BACKGROUND).put(new Tuple2<>("boiler", now), 61.5);
    OptionalDouble mean =
        readings
            .subMap(
                new Tuple2<>("boiler", now.minusSeconds(3600)),
                new Tuple2<>("boiler", now.plusNanos(1)))
            .values()
            .stream()
            .mapToDouble(Double::doubleValue)
            .average();
    readings.subMap(new Tuple2<>("boiler", Instant.EPOCH), new Tuple2<>("boiler", weekAgo)).clear();
    assertThat(mean).hasValue(61);
    assertThat(readings).hasSize(2);
  }

  static final ExpiringTable<String, String> SESSIONS =
      ExpiringTable.of("sessions", Codec.string(), Codec.string(), Duration.ofMinutes(30));

  @Test
  void expiry() {
    OrderedMap<String, String> sessions = SESSIONS.open(store); // at the start of the program
    sessions.put("4711", "basket"); // ends in 30 minutes
    SESSIONS.ttl(Duration.ofDays(7)).open(store).put("4712", "stay signed in");
    store.transact(tx -> SESSIONS.open(tx).remove("4711")); // part of a transaction
    assertThat(sessions.keySet()).containsExactly("4712");

    SESSIONS.purgeEvery(store, Duration.ofMinutes(1)); // in the background
    assertThat(SESSIONS.expiresAt(store, "4712").orElseThrow()).isAfter(Instant.now());
  }

  static final ExpiringTable<String, byte[]> SEEN =
      ExpiringTable.of("seen", Codec.string(), Codec.bytes(), Duration.ofDays(1));

  @Test
  void expiryOfElements() {
    OrderedMap<String, byte[]> seen = SEEN.open(store);
    boolean isNew = seen.putIfAbsent("message 4711", new byte[0]) == null;
    NavigableSet<String> messages = seen.navigableKeySet(); // of the last day
    assertThat(isNew).isTrue();
    assertThat(seen.putIfAbsent("message 4711", new byte[0])).isNotNull();
    assertThat(messages).containsExactly("message 4711");
    assertThat(SEEN.expiresAt(store, "message 4711").orElseThrow()).isAfter(Instant.now());
  }

  static final Table<String, String> MAILS = Table.of("mails", Codec.string(), Codec.string());
  static final Table<String, String> USERS = Table.of("users", Codec.string(), Codec.string());

  @Test
  void unique() {
    assertThat(addUser()).isTrue();
    assertThat(addUser()).isFalse();
    assertThat(store.open(USERS)).hasSize(1);
  }

  private boolean addUser() {
    boolean added =
        store.transactAndGet(tx -> {
          if (tx.open(MAILS).putIfAbsent("ann@example.org", "ann") != null) {
            return false; // another user has this address
          }
          tx.open(USERS).put("ann", "Ann Miller");
          return true;
        });
    return added;
  }

  static final Table<String, Long> POSITIONS = Table.of("positions", Codec.string(), Codec.int64());

  @Test
  void messageOnce() {
    store.open(STOCK).put("apples", 10L);
    receive(7);
    receive(7);
    assertThat(store.open(STOCK)).containsEntry("apples", 7L);
  }

  private void receive(long offset) {
    store.transact(tx -> {
      if (tx.open(POSITIONS).getOrDefault("orders", -1L) >= offset) {
        return; // done before
      }
      tx.open(STOCK).merge("apples", -3L, Long::sum);
      tx.open(POSITIONS).put("orders", offset);
    });
  }

  @Test
  void load() {
    List<String> lines = IntStream.range(0, 25_000).mapToObj("%05d"::formatted).toList();
    for (int from = 0; from < lines.size(); from += 10_000) {
      List<String> part = lines.subList(from, Math.min(from + 10_000, lines.size()));
      store.transact(tx -> part.forEach(line -> tx.open(STOCK).put(line, 0L)));
    }
    assertThat(store.open(STOCK).keySet()).containsExactlyElementsOf(lines);
  }

  @Test
  void report() {
    store.open(STOCK).put("apples", 1L);
    var report = new StringBuilder();
    try (Snapshot snapshot = store.snapshot()) {
      snapshot.open(STOCK).forEach((name, count) -> report.append(name).append('\n'));
    }
    assertThat(report).hasToString("apples\n");
  }

  @Test
  void follow() throws InterruptedException {
    Watch watch = store.watch(store.open(STOCK).space()); // closed when no thread follows
    watch.start().close(); // what is there already; changes are reported from here on
    store.open(STOCK).put("quinces", 1L);
    Watch.Committed next = watch.next(Duration.ofSeconds(10)); // each commit once, in order
    assertThat(next.changes()).hasSize(1);
    watch.close();
  }

  @Test
  void backup() {
    store.open(STOCK).put("apples", 1L);
    Path place = directory.resolve("backups");
    Backups backups = Backups.at(place);
    backups.take(store); // full at first, then what changed
    backups.prune(14);
    assertThat(backups.points()).hasSize(1);
  }
}
