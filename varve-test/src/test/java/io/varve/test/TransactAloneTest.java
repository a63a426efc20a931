package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreBusyException;
import io.varve.StoreClosedException;
import io.varve.Transaction;
import io.varve.spi.SpaceIndex;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No body of a transaction stops the store, and each ends: what commits to what it reads is
/// refused, and what runs alone keeps others waiting only so long, and only from what it uses.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransactAloneTest {
  /// How often a body runs concurrently with others before it runs alone.
  private static final int ATTEMPTS_AMONG_OTHERS = 8;

  /// More runs than any body may take here.
  private static final int RUNS_MAX = 200;

  private static final byte[] KEY = Bytes.of("k");
  private static final byte[] ONE = Bytes.of(1);

  private final SimulatedClock clock = new SimulatedClock();
  private final Store store =
      SimulatedStore.open(
          new SimulatedDisk(1), clock, Stores.tiny().durability(Durability.BACKGROUND));
  private final Space used = store.space("used");
  private final Space other = store.space("other");

  @AfterEach
  void close() {
    store.close();
  }

  private static CompletableFuture<Void> start(Runnable work) {
    return CompletableFuture.runAsync(work, task -> Thread.ofPlatform().daemon().start(task));
  }

  /// Reads what another thread changes then, until the transaction runs alone.
  private void conflictUntilAlone(Transaction tx, Space space, AtomicInteger runs) {
    tx.get(space, KEY);
    tx.put(space, Bytes.of("written"), ONE);
    int run = runs.incrementAndGet();
    if (run <= ATTEMPTS_AMONG_OTHERS) {
      start(() -> space.put(KEY, Bytes.of(run))).join();
    }
  }

  /// It ran again and again forever.
  @Test
  void bodyThatCommitsWhatItReadsIsRefusedAtItsSecondRun() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() ->
            store.transact(tx -> {
              tx.get(used, KEY);
              runs.incrementAndGet();
              used.merge(KEY, ONE, (a, b) -> Bytes.of(runs.get()));
              tx.put(used, Bytes.of("x"), ONE);
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("commits to what the transaction reads")
        .hasMessageContaining("TransactAloneTest");
    assertThat(runs).hasValue(2);
  }

  @Test
  void nestedTransactionOverWhatWasReadIsRefusedAtTheSecondRun() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() ->
            store.transact(outer -> {
              outer.contains(other, KEY); // fixes what the range below is read from
              store.transact(inner -> inner.put(used, KEY, Bytes.of(runs.incrementAndGet())));
              outer.count(used, Range.all());
              outer.put(other, KEY, ONE);
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runs=2");
    assertThat(runs).hasValue(2);
  }

  @Test
  void ownCommitOfWhatIsMissingOnceOrIsNotReadIsNoError() {
    store.transact(tx -> {
      if (tx.get(used, KEY) == null) {
        used.put(KEY, ONE);
      }
      other.put(KEY, Bytes.of(System.nanoTime()));
      tx.put(used, Bytes.of("written"), ONE);
    });
    assertThat(used.get(Bytes.of("written"))).isEqualTo(ONE);
  }

  @Test
  void ownCommitWhileRunningAloneIsRefusedAsWell() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() ->
            store.transact(tx -> {
              conflictUntilAlone(tx, used, runs);
              if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
                used.put(KEY, Bytes.of(runs.get()));
              }
            }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(runs).hasValue(ATTEMPTS_AMONG_OTHERS + 2);
  }

  /// Each run conflicts with the index that it makes itself, and used a space that the run before
  /// had not: that of the index made there. So it was never taken for a conflict with itself.
  @Test
  void bodyThatMakesAnotherIndexInEachRunIsRefused() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() ->
            store.transact(tx -> {
              assertThat(runs.incrementAndGet()).as("runs").isLessThan(RUNS_MAX);
              tx.put(used, KEY, ONE);
              store
                  .indexed(used)
                  .keep(List.of(new ValueIndex("made" + runs)), ProgressListener.none());
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("changes the indexes");
    assertThat(used.contains(KEY)).isFalse();
    store.verify().requireSound();
  }

  /// All spaces were locked while the body ran.
  @Test
  void othersCommitToSpacesThatTheBodyDidNotUse() {
    AtomicInteger runs = new AtomicInteger();
    CompletableFuture<?>[] waiting = new CompletableFuture<?>[1];
    store.transact(tx -> {
      conflictUntilAlone(tx, used, runs);
      if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
        start(() -> other.put(KEY, ONE)).join();
        start(() -> store.space("new").put(KEY, ONE)).join();
        waiting[0] = start(() -> used.put(KEY, Bytes.of("later")));
      }
    });
    waiting[0].join();
    assertThat(used.get(KEY)).isEqualTo(Bytes.of("later"));
    assertThat(other.get(KEY)).isEqualTo(ONE);
    assertThat(runs).hasValue(ATTEMPTS_AMONG_OTHERS + 1);
  }

  /// The body waits for a thread that waits for the body: neither ever continued.
  @Test
  void waitForTransactionThatRunsAloneIsBounded() {
    AtomicInteger runs = new AtomicInteger();
    store.transact(tx -> {
      conflictUntilAlone(tx, used, runs);
      if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
        assertThatThrownBy(() -> late(() -> used.put(KEY, ONE)))
            .cause()
            .isInstanceOf(StoreBusyException.class)
            .hasMessageContaining("space=used, transaction=io.varve.test.TransactAloneTest")
            .hasMessageContaining("thread=" + Thread.currentThread().getName())
            .hasMessageContaining("runsMillis=");
        assertThatThrownBy(() -> late(() -> store.transact(more -> more.delete(used, KEY))))
            .hasCauseInstanceOf(StoreBusyException.class);
        assertThatThrownBy(() -> late(() -> store.dropSpace("used")))
            .hasCauseInstanceOf(StoreBusyException.class);
      }
    });
    assertThat(runs).hasValue(ATTEMPTS_AMONG_OTHERS + 1);
  }

  /// Runs what waits until it was enough.
  private void late(Runnable work) {
    CompletableFuture<Void> done = start(work);
    while (!done.isDone()) {
      clock.advance(Duration.ofSeconds(1));
      Thread.onSpinWait();
    }
    done.join();
  }

  /// The body was taken for one that commits to what it reads: what another thread changed of the
  /// indexes was a conflict while nobody else could commit.
  @Test
  void changesOfIndexesWaitForTransactionThatRunsAlone() {
    IndexedSpace indexed = store.indexed(used);
    indexed.keep(List.of(new ValueIndex("dropped")), ProgressListener.none());
    indexed.keep(List.of(new ValueIndex("renamed")), ProgressListener.none());
    AtomicInteger runs = new AtomicInteger();
    List<Runnable> changes =
        List.of(
            () ->
                indexed.keep(List.of(new ValueIndex("made" + runs.get())), ProgressListener.none()),
            () -> indexed.keep(List.of(new ValueIndex("renamed")), ProgressListener.none()),
            () -> indexed.rename("renamed", "renamed" + runs.get()),
            () -> indexed.drop("dropped"));
    store.transact(tx -> {
      conflictUntilAlone(tx, used, runs);
      if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
        for (Runnable change : changes) {
          assertThatThrownBy(() -> late(change)).hasCauseInstanceOf(StoreBusyException.class);
        }
      }
    });
    assertThat(runs).hasValue(ATTEMPTS_AMONG_OTHERS + 1);
    changes.forEach(Runnable::run);
    assertThat(indexed.list())
        .extracting(IndexedSpace.IndexStatus::name)
        .containsExactly("made9", "renamed9");
    store.verify().requireSound();
  }

  /// The thread that waited held what changes of the indexes of all spaces need, also that of the
  /// body: both stood for 30 seconds.
  @Test
  void bodyThatRunsAloneOpensAnIndexWhileAnotherThreadWaitsToOpenOne() {
    SpaceIndex given = new ValueIndex("given");
    store.indexed(used).keep(List.of(given), ProgressListener.none());
    AtomicInteger runs = new AtomicInteger();
    CompletableFuture<?>[] opened = new CompletableFuture<?>[1];
    store.transact(tx -> {
      conflictUntilAlone(tx, used, runs);
      if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
        keepFromNow(used, "given", opened);
        store.indexed(other).keep(List.of(new ValueIndex("opened")), ProgressListener.none());
        start(() -> store.indexed(used).keep(List.of(given), ProgressListener.none())).join();
      }
    });
    opened[0].join();
    assertThat(runs).hasValue(ATTEMPTS_AMONG_OTHERS + 1);
  }

  /// A body ran alone over the entries of an index. The thread that dropped the index waited for
  /// it, and held what changes of the indexes of all spaces need.
  @Test
  void indexIsOpenedWhileTheDropOfAnotherOneWaitsForItsEntries() {
    IndexedSpace indexed = store.indexed(used);
    indexed.keep(List.of(new ValueIndex("dropped")), ProgressListener.none());
    Space entries = indexed.entries("dropped");
    Space written = store.space("written");
    AtomicInteger runs = new AtomicInteger();
    CompletableFuture<?>[] dropped = new CompletableFuture<?>[1];
    store.transact(tx -> {
      tx.put(written, KEY, Bytes.of(tx.count(entries, Range.all())));
      int run = runs.incrementAndGet();
      if (run <= ATTEMPTS_AMONG_OTHERS) {
        start(() -> used.put(Bytes.of(run), ONE)).join();
      } else {
        waitFromNow(() -> indexed.drop("dropped"), dropped);
        start(() ->
                store
                    .indexed(other)
                    .keep(List.of(new ValueIndex("opened")), ProgressListener.none()))
            .orTimeout(20, TimeUnit.SECONDS)
            .join();
      }
    });
    dropped[0].join();
    assertThat(runs).hasValue(ATTEMPTS_AMONG_OTHERS + 1);
    assertThat(indexed.list()).isEmpty();
    store.verify().requireSound();
  }

  /// Returns once the thread that gives the definition waits.
  private void keepFromNow(Space space, String index, CompletableFuture<?>[] done) {
    waitFromNow(
        () -> store.indexed(space).keep(List.of(new ValueIndex(index)), ProgressListener.none()),
        done);
  }

  /// Returns once the thread that runs this waits.
  private static void waitFromNow(Runnable work, CompletableFuture<?>[] done) {
    CompletableFuture<Thread> started = new CompletableFuture<>();
    done[0] =
        start(() -> {
          started.complete(Thread.currentThread());
          work.run();
        });
    while (started.join().getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  /// Entries by their values.
  private record ValueIndex(String name) implements SpaceIndex {
    @Override
    public String id() {
      return name;
    }

    @Override
    public boolean isUnique() {
      return false;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      prefixes.accept(Arrays.copyOf(value, 8));
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return 8;
    }
  }

  @Test
  void closeWakesThoseWhoWait() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch alone = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    CompletableFuture<Void> body =
        start(() ->
            store.transact(tx -> {
              conflictUntilAlone(tx, used, runs);
              if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
                alone.countDown();
                awaitUninterrupted(closed);
              }
            }));
    alone.await();
    CompletableFuture<Void> waiting = start(() -> used.put(KEY, ONE));
    store.close();
    assertThatThrownBy(waiting::join).hasCauseInstanceOf(StoreClosedException.class);
    closed.countDown();
    assertThatThrownBy(body::join).hasCauseInstanceOf(StoreClosedException.class);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Each runs alone over one space, and comes to that of the other.
  @Test
  void twoThatRunAloneAndMeetBothEnd() {
    CyclicBarrier bothAlone = new CyclicBarrier(2);
    CompletableFuture<Void> one = start(() -> runAloneThenUse(used, other, bothAlone));
    CompletableFuture<Void> two = start(() -> runAloneThenUse(other, used, bothAlone));
    one.join();
    two.join();
    assertThat(used.get(Bytes.of("from other"))).isEqualTo(ONE);
    assertThat(other.get(Bytes.of("from used"))).isEqualTo(ONE);
  }

  private void runAloneThenUse(Space first, Space second, CyclicBarrier bothAlone) {
    AtomicInteger runs = new AtomicInteger();
    store.transact(tx -> {
      conflictUntilAlone(tx, first, runs);
      if (runs.get() == ATTEMPTS_AMONG_OTHERS + 1) {
        meet(bothAlone);
      }
      if (runs.get() > ATTEMPTS_AMONG_OTHERS) {
        tx.put(second, Bytes.of("from " + first.name()), ONE);
      }
    });
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
