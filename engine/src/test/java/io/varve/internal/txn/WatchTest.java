package io.varve.internal.txn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.Watch.Change;
import io.varve.Watch.Committed;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A watch of a space reports each change once, in commit order, from a snapshot on.
class WatchTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "-" : new String(bytes, UTF_8);
  }

  private static Committed next(Watch watch) {
    Committed next = watch.next(Duration.ZERO);
    assertThat(next).isNotNull();
    return next;
  }

  private static String reported(Committed committed) {
    List<String> reported = new ArrayList<>();
    for (Change change : committed.changes()) {
      boolean wasLarge = change.wasPresent() && change.before() == null;
      String before = wasLarge ? "large" : text(change.before());
      reported.add(text(change.key()) + ":" + before + ">" + text(change.after()));
    }
    return String.join(" ", reported);
  }

  private static void require(Watch watch, Commit commit, String changes) {
    Committed next = next(watch);
    assertThat(reported(next)).isEqualTo(changes);
    assertThat(next.commit()).isEqualTo(commit);
    assertThat(watch.next(Duration.ZERO)).isNull();
  }

  private static void require(Watch watch, String changes) {
    Committed next = next(watch);
    assertThat(reported(next)).isEqualTo(changes);
    assertThat(watch.next(Duration.ZERO)).isNull();
  }

  @Test
  void eachKindOfChangeIsReported() throws Exception {
    try (Store store = Store.open(directory)) {
      Space space = store.space("texts");
      space.put(bytes("a"), bytes("0"));
      try (Watch watch = store.watch(space)) {
        try (Snapshot first = watch.start()) {
          assertThat(first.lastCommit()).isEqualTo(store.lastCommit());
        }
        require(watch, space.put(bytes("a"), bytes("1")), "a:0>1");
        require(watch, space.put(bytes("b"), bytes("1")), "b:->1");
        Commit later = space.async().put(bytes("b"), bytes("2")).toCompletableFuture().get();
        require(watch, later, "b:1>2");
        space.getAndPut(bytes("b"), bytes("3"));
        require(watch, "b:2>3");
        space.putIfAbsent(bytes("b"), bytes("4"));
        space.compareAndSet(bytes("b"), bytes("7"), bytes("4"));
        space.delete(bytes("none"));
        assertThat(watch.next(Duration.ZERO)).isNull();
        space.compareAndSet(bytes("b"), bytes("3"), bytes("4"));
        require(watch, "b:3>4");
        space.merge(bytes("b"), bytes("5"), (old, value) -> value);
        require(watch, "b:4>5");
        Commit both =
            store.transact(tx -> {
              tx.put(space, bytes("d"), bytes("1"));
              tx.put(space, bytes("c"), bytes("1"));
              tx.put(space, bytes("c"), bytes("2"));
              tx.delete(space, bytes("a"));
              tx.delete(space, bytes("none"));
              tx.put(store.space("others"), bytes("x"), bytes("1"));
            });
        require(watch, both, "a:1>- c:->2 d:->1");
        store.space("others").put(bytes("x"), bytes("2"));
        store.renameSpace("texts", "words");
        space.deleteRange(Range.lessThan(bytes("d")));
        require(watch, "b:5>- c:2>-");
        require(watch, space.delete(bytes("d")), "d:1>-");
      }
    }
  }

  @Test
  void arraysAreNoOnesElse() {
    try (Store store = Store.inMemory();
        Watch watch = store.watch(store.space("texts"))) {
      watch.start().close();
      byte[] key = bytes("a");
      byte[] value = bytes("1");
      store.space("texts").put(key, value);
      key[0] = 'x';
      value[0] = 'x';
      require(watch, "a:->1");
    }
  }

  @Test
  void largeValuesAreReportedUnlessTheyAreNotInMemory() {
    try (Store store = Store.open(directory);
        Watch watch = store.watch(store.space("texts"))) {
      Space space = store.space("texts");
      watch.start().close();
      byte[] large = bytes("x".repeat(100_000));
      space.put(bytes("a"), large);
      assertThat(next(watch).changes().getFirst().after()).isEqualTo(large);
      store.compact(); // may move the value, which is no change
      space.put(bytes("a"), bytes("1"));
      require(watch, "a:large>1");
      space.put(bytes("a"), new ByteArrayInputStream(large), large.length);
      space.put(bytes("b"), bytes("1"));
      assertThat(next(watch).areMissed()).isTrue();
      assertThat(watch.next(Duration.ZERO)).isNull();
      try (Snapshot again = watch.start()) {
        assertThat(again.get(space, bytes("a"))).isEqualTo(large);
      }
      space.put(bytes("b"), bytes("2"));
      require(watch, "b:1>2");
    }
  }

  @Test
  void movedValueIsNoChange() {
    try (Store store = Store.open(directory);
        Watch watch = store.watch(store.space("texts"))) {
      LiveSpace space = (LiveSpace) store.space("texts");
      byte[] large = bytes("x".repeat(1_000_000));
      for (int i = 10; i < 60; i++) {
        space.put(bytes("k" + i), large);
      }
      space.deleteRange(Range.lessThan(bytes("k59")));
      var before = space.core().tree().stored(null, bytes("k59"));
      watch.start().close();
      store.checkpoint();
      store.checkpoint();
      store.compact();
      assertThat(space.core().tree().stored(null, bytes("k59"))).isNotEqualTo(before);
      assertThat(watch.next(Duration.ZERO)).isNull();
      space.put(bytes("k59"), bytes("1"));
      require(watch, "k59:large>1");
    }
  }

  @Test
  void whatDoesNotFitIsMissedUntilTheNextStart() {
    try (Store store = Store.inMemory();
        Watch watch = store.watch(store.space("texts"), Visibility.APPLIED, 1000)) {
      Space space = store.space("texts");
      watch.start().close();
      for (int i = 0; i < 100; i++) {
        space.put(bytes("k" + i), bytes("v"));
      }
      int reported = 0;
      Committed next = next(watch);
      while (!next.areMissed()) {
        assertThat(reported(next)).isEqualTo("k" + reported++ + ":->v");
        next = next(watch);
      }
      assertThat(reported).isBetween(1, 50);
      space.put(bytes("later"), bytes("v"));
      assertThat(watch.next(Duration.ZERO)).isNull();
      try (Snapshot again = watch.start()) {
        assertThat(again.count(space, Range.all())).isEqualTo(101);
      }
      store.transact(tx -> tx.deleteRange(space, Range.all()));
      assertThat(next(watch).areMissed()).isTrue();
      watch.start().close();
      space.put(bytes("later"), bytes("w"));
      require(watch, "later:->w");
    }
  }

  @Test
  void durableChangesAreReportedWhenTheyAreDurable() {
    try (Store store = Store.open(directory);
        Watch watch = store.watch(store.space("texts"), Visibility.DURABLE, 1 << 20)) {
      watch.start().close();
      store.space("texts").with(Durability.BACKGROUND).put(bytes("a"), bytes("1"));
      Committed next = watch.next(LONG);
      assertThat(next).isNotNull();
      assertThat(store.statistics().commits().durableLsn())
          .isGreaterThanOrEqualTo(next.commit().lsn());
    }
  }

  @Test
  @SuppressWarnings("try") // a close may come before the end of the block
  void waitEndsWithACommitACloseADropAndTheStore() {
    Store store = Store.inMemory();
    Space space = store.space("texts");
    try (Watch watch = store.watch(space)) {
      assertThatThrownBy(() -> watch.next(Duration.ZERO)).hasMessageContaining("not started");
      watch.start().close();
      var waiting = CompletableFuture.supplyAsync(() -> watch.next(LONG));
      space.put(bytes("a"), bytes("1"));
      assertThat(reported(waiting.join())).isEqualTo("a:->1");
      var closing = CompletableFuture.supplyAsync(() -> watch.next(LONG));
      watch.close();
      assertThatThrownBy(closing::join).hasRootCauseInstanceOf(IllegalStateException.class);
      assertThatThrownBy(watch::start).hasMessageContaining("closed");
      watch.close();
    }
    try (Watch watch = store.watch(space)) {
      watch.start().close();
      space.put(bytes("a"), bytes("2"));
      store.dropSpace("texts");
      assertThat(reported(next(watch))).isEqualTo("a:1>2");
      assertThatThrownBy(() -> watch.next(LONG))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("dropped");
    }
    Watch watch = store.watch(store.space("others"));
    watch.start().close();
    var waiting = CompletableFuture.supplyAsync(() -> watch.next(LONG));
    store.close();
    assertThatThrownBy(waiting::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> watch.next(Duration.ZERO)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(watch::start).isInstanceOf(StoreClosedException.class);
    watch.close();
  }

  private static NavigableMap<String, String> entries(ReadView view, Space space) {
    NavigableMap<String, String> entries = new TreeMap<>();
    try (Cursor cursor = view.cursor(space, Range.all())) {
      while (cursor.next()) {
        entries.put(text(cursor.key()), text(cursor.value()));
      }
    }
    return entries;
  }

  /// What a reader makes of the changes that it is sent.
  private static final class Replica {
    private final Watch watch;
    private final Space space;
    private NavigableMap<String, String> entries;
    private Commit at;
    private @Nullable Committed later;
    private int missed;

    Replica(Watch watch, Space space) {
      this.watch = watch;
      this.space = space;
      restart();
    }

    private void restart() {
      try (Snapshot snapshot = watch.start()) {
        entries = entries(snapshot, space);
        at = snapshot.lastCommit();
      }
    }

    /// Takes what is reported up to a commit, all of which is applied.
    void follow(Commit to) {
      while (true) {
        Committed next = later == null ? watch.next(Duration.ZERO) : later;
        later = next;
        if (next == null || next.commit().isAfter(to)) {
          return;
        }
        later = null;
        if (next.areMissed()) {
          missed++;
          restart();
          return;
        }
        assertThat(next.commit()).isGreaterThan(at);
        at = next.commit();
        next.changes().forEach(this::apply);
      }
    }

    private void apply(Change change) {
      String key = text(change.key());
      assertThat(change.wasPresent()).isEqualTo(entries.containsKey(key));
      if (change.wasPresent()) {
        assertThat(text(change.before())).isEqualTo(entries.get(key));
      }
      if (change.after() == null) {
        entries.remove(key);
      } else {
        entries.put(key, text(change.after()));
      }
    }

    void requireEqual(Store store) {
      try (Snapshot snapshot = store.snapshot()) {
        follow(snapshot.lastCommit());
        if (!at.isAfter(snapshot.lastCommit())) {
          assertThat(entries).isEqualTo(entries(snapshot, space));
        }
      }
    }
  }

  private static void change(Store store, Space space, SplittableRandom random) {
    byte[] key = bytes("k" + random.nextInt(200));
    byte[] value = bytes("v" + random.nextInt());
    switch (random.nextInt(8)) {
      case 0 -> space.delete(key);
      case 1 -> space.merge(key, value, (old, _) -> random.nextBoolean() ? null : value);
      case 2 -> space.deleteRange(Range.closed(key, bytes(text(key) + "z")));
      case 3, 4 ->
          store.transact(tx -> {
            tx.put(space, key, value);
            tx.put(store.space("others"), key, value);
            tx.delete(space, bytes("k" + random.nextInt(200)));
          });
      default -> space.put(key, value);
    }
  }

  @Test
  void changesOfManyWritersGiveTheStateOfEachSnapshot() {
    followsDuringWrites(64 << 20);
  }

  @Test
  void readerThatFallsBackFindsItsWay() {
    followsDuringWrites(20_000);
  }

  private void followsDuringWrites(long bytesMax) {
    try (Store store = Store.open(directory)) {
      Space space = store.space("texts").with(Durability.BACKGROUND);
      int changes = Integer.getInteger("varve.watched.changes", 2000);
      AtomicInteger running = new AtomicInteger(8);
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 8; writer++) {
        SplittableRandom random = new SplittableRandom(writer);
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    for (int i = 0; i < changes; i++) {
                      change(store, space, random);
                    }
                  } finally {
                    running.decrementAndGet();
                  }
                },
                task -> Thread.ofPlatform().start(task)));
      }
      try (Watch watch = store.watch(space, Visibility.APPLIED, bytesMax)) {
        Replica replica = new Replica(watch, space);
        while (running.get() > 0) {
          replica.requireEqual(store);
        }
        writers.forEach(CompletableFuture::join);
        replica.requireEqual(store);
        if (bytesMax > 1 << 20) {
          assertThat(replica.missed).isZero();
        }
      }
    }
  }

  @Test
  void watchThatIsClosedLeavesNothingForCommits() {
    try (Store store = Store.inMemory()) {
      LiveSpace space = (LiveSpace) store.space("texts");
      Watch watch = store.watch(space);
      Watch other = store.watch(space);
      watch.start().close();
      watch.start().close();
      other.start().close();
      space.put(bytes("a"), bytes("1"));
      require(watch, "a:->1");
      require(other, "a:->1");
      watch.close();
      space.put(bytes("a"), bytes("2"));
      require(other, "a:1>2");
      assertThat(Arrays.equals(space.get(bytes("a")), bytes("2"))).isTrue();
    }
  }
}
