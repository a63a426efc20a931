package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.Visibility;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What each durability promises, one case at a time.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurabilityTest {
  private static final byte[] KEY = Bytes.of("k");

  /// The clock does not move, so nothing is forced but on demand.
  private final StoreOptions options =
      Stores.tiny().log(log -> log.flushInterval(Duration.ofHours(1)));

  @Test
  void strongCommitSurvivesLossOfPowerD3() {
    Seeds.forEach(
        30,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          Store store = SimulatedStore.open(disk, options);
          store.space("s").with(Durability.POWER_LOSS).put(KEY, Bytes.of(seed));
          requireAfter(disk.powerCut(), seed);
          store.close();
        });
  }

  /// Guards against a name, of the page file or of the log's directory, that no process made
  /// durable. The process that created the store made the name, and died before that: a later open
  /// finds it and builds on it.
  @Test
  void strongCommitSurvivesLossOfPowerWhereverTheFirstOpenDiedD3() {
    long callsOfOpen;
    SimulatedDisk whole = new SimulatedDisk(0);
    try (Store store = SimulatedStore.open(whole, options)) {
      callsOfOpen = whole.mutatingCalls();
      store.space("s");
    }
    for (long call = 1; call <= callsOfOpen; call++) {
      SimulatedDisk first = new SimulatedDisk(call);
      first.cutPowerAtCall(call);
      openOnDyingMachine(first);
      SimulatedDisk second = first.processCrash(); // what the system had taken is there
      Store store = SimulatedStore.open(second, options);
      store.space("s").with(Durability.POWER_LOSS).put(KEY, Bytes.of(call));
      for (int cut = 0; cut < 8; cut++) {
        requireAfter(second.copy().powerCut(), call);
      }
      store.close();
    }
  }

  private void openOnDyingMachine(SimulatedDisk disk) {
    try {
      SimulatedStore.open(disk, options).close();
    } catch (VarveException e) {
      assertThat(disk.isOff()).as("off: %s", e).isTrue();
    }
  }

  @Test
  void weakerCommitSurvivesDeathOfTheProcessD3() {
    Seeds.forEach(
        30,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          Store store = SimulatedStore.open(disk, options);
          store.space("s").with(Durability.PROCESS_CRASH).put(KEY, Bytes.of(seed));
          requireAfter(disk.processCrash(), seed);
          closeAfterCrash(store);
        });
  }

  /// It cannot force what its dead process had not, and reports that.
  private static void closeAfterCrash(Store store) {
    try {
      store.close();
    } catch (StoreFailedException e) {
      assertThat(e).hasRootCauseInstanceOf(PowerOffException.class);
    }
  }

  /// Values that the log holds whole, and values that it refers to. Also those of a transaction
  /// that puts more than it may keep in memory for the log.
  @Test
  void longValuesSurviveLossOfPowerHoweverTheLogHoldsThemD3() {
    StoreOptions wideLog = options.log(log -> log.bufferBytes(8 << 20).bytesMax(64 << 20));
    int[] lengths = {(128 << 10) + 1, (1 << 20) + 1, 2 << 20, (2 << 20) + 1};
    Seeds.forEach(
        4,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          SplittableRandom random = new SplittableRandom(seed);
          Store store = SimulatedStore.open(disk, wideLog);
          Space space = store.space("s");
          List<byte[]> values = new ArrayList<>();
          for (int length : lengths) {
            byte[] value = randomBytes(random, length);
            space.with(Durability.POWER_LOSS).put(Bytes.of(values.size()), value);
            values.add(value);
          }
          try (Transaction transaction = store.begin()) {
            for (int length : lengths) {
              byte[] value = randomBytes(random, length);
              transaction.put(space, Bytes.of(values.size()), value);
              values.add(value);
            }
            transaction.commit(Durability.POWER_LOSS);
          }
          try (Store after = SimulatedStore.open(disk.powerCut(), wideLog)) {
            Space found = after.space("s");
            for (int i = 0; i < values.size(); i++) {
              assertThat(found.get(Bytes.of(i)))
                  .as("seed %d, value %d", seed, i)
                  .isEqualTo(values.get(i));
            }
          }
          store.close();
        });
  }

  /// So that a value that the log holds is not forced, and one that it does not leaves it its
  /// capacity.
  @Test
  void logHoldsValuesOfUpToAQuarterOfItsRing() {
    SimulatedDisk disk = new SimulatedDisk(1);
    StoreOptions wideLog = options.log(log -> log.bytesMax(64 << 20));
    try (Store store = SimulatedStore.open(disk, wideLog.log(log -> log.bufferBytes(8 << 20)))) {
      requireLogged(store, 2 << 20, true);
      requireLogged(store, (2 << 20) + 1, false);
    }
    try (Store store = SimulatedStore.open(disk, wideLog.log(log -> log.bufferBytes(1 << 20)))) {
      requireLogged(store, 1 << 18, true);
      requireLogged(store, (1 << 18) + 1, false);
    }
    try (Store store = SimulatedStore.open(disk, wideLog.log(log -> log.bufferBytes(1 << 16)))) {
      requireLogged(store, 128 << 10, true);
      requireLogged(store, (128 << 10) + 1, false);
    }
  }

  private static void requireLogged(Store store, int length, boolean whole) {
    Space space = store.space("s");
    Commit before = space.put(KEY, KEY);
    long grown = space.put(KEY, new byte[length]).lsn() - before.lsn();
    assertThat(grown)
        .as("log grown by a value of %d bytes", length)
        .satisfies(bytes -> {
          assertThat(bytes >= length).isEqualTo(whole);
          assertThat(bytes < 1 << 16).isEqualTo(!whole);
        });
  }

  /// A transaction keeps 2 MiB of long values in memory for the log.
  @Test
  void logHoldsAPartOfWhatATransactionPuts() {
    SimulatedDisk disk = new SimulatedDisk(1);
    StoreOptions wideLog = options.log(log -> log.bytesMax(64 << 20).bufferBytes(8 << 20));
    try (Store store = SimulatedStore.open(disk, wideLog)) {
      Space space = store.space("s");
      Commit before = space.put(KEY, KEY);
      Commit commit;
      try (Transaction transaction = store.begin()) {
        for (int i = 0; i < 8; i++) {
          transaction.put(space, Bytes.of(i), new byte[1 << 20]);
        }
        commit = transaction.commit(Durability.POWER_LOSS);
      }
      assertThat(commit.lsn() - before.lsn()).isBetween(2L << 20, (2L << 20) + (1 << 16));
    }
  }

  private static byte[] randomBytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void strongCommitTakesWeakerOnesBeforeItAlongD2() {
    Seeds.forEach(
        30,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          Store store = SimulatedStore.open(disk, options);
          store.space("s").with(Durability.BACKGROUND).put(KEY, Bytes.of(seed));
          store.space("other").with(Durability.POWER_LOSS).put(KEY, KEY);
          requireAfter(disk.powerCut(), seed);
          store.close();
        });
  }

  @Test
  void awaitDurableMakesAWeakCommitStrongD3() {
    Seeds.forEach(
        30,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          Store store = SimulatedStore.open(disk, options);
          Space space = store.space("s");
          Commit commit = space.with(Durability.BACKGROUND).put(KEY, Bytes.of(seed));
          if (seed % 2 == 0) {
            store.awaitDurable(commit);
          } else {
            assertThat(store.whenDurable(commit).toCompletableFuture().get()).isEqualTo(commit);
          }
          assertThat(store.statistics().commits().durableLsn())
              .isGreaterThanOrEqualTo(commit.lsn());
          requireAfter(disk.powerCut(), seed);
          store.close();
        });
  }

  @Test
  void cleanCloseKeepsBackgroundCommitsD3() {
    Seeds.forEach(
        10,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          try (Store store = SimulatedStore.open(disk, options)) {
            store.space("s").with(Durability.BACKGROUND).put(KEY, Bytes.of(seed));
          }
          requireAfter(disk.powerCut(), seed);
        });
  }

  /// By a clock that the test moves: after the interval, and the force that it starts, the commit
  /// would survive.
  @Test
  void backgroundCommitIsForcedWithinTheFlushIntervalD3() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedClock clock = new SimulatedClock();
    StoreOptions timed = Stores.tiny().log(log -> log.flushInterval(Duration.ofSeconds(1)));
    Store store = SimulatedStore.open(disk, clock, timed);
    Commit commit = store.space("s").with(Durability.BACKGROUND).put(KEY, Bytes.of(1));
    while (store.statistics().commits().durableLsn() < commit.lsn()) {
      clock.advance(Duration.ofSeconds(1));
      Thread.onSpinWait();
    }
    requireAfter(disk.powerCut(), 1);
    store.close();
  }

  /// While the force is held up, a weak commit is visible but no durable snapshot shows it.
  @Test
  void durableSnapshotWaitsForTheForce() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = SimulatedStore.open(disk, options);
    Space space = store.space("s");
    space.put(KEY, Bytes.of(1));
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean held = new AtomicBoolean(true);
    disk.faults(call -> {
      if (held.get() && isForcing(call)) {
        awaitUninterruptibly(release);
      }
      return Fault.NONE;
    });
    Commit commit = space.with(Durability.BACKGROUND).put(KEY, Bytes.of(2));
    assertThat(Bytes.toLong(space.get(KEY))).isEqualTo(2);
    CompletableFuture<Long> shown =
        CompletableFuture.supplyAsync(
            () -> {
              try (Snapshot snapshot = store.snapshot(Visibility.DURABLE)) {
                assertThat(snapshot.lastCommit()).isGreaterThanOrEqualTo(commit);
                return Bytes.toLong(snapshot.get(space, KEY));
              }
            },
            task -> Thread.ofVirtual().start(task));
    try (Snapshot applied = store.snapshot()) {
      assertThat(Bytes.toLong(applied.get(space, KEY))).isEqualTo(2);
    }
    assertThat(shown).isNotDone();
    assertThat(store.statistics().commits().durableLsn()).isLessThan(commit.lsn());
    held.set(false);
    release.countDown();
    assertThat(shown.get()).isEqualTo(2);
    requireAfter(disk.powerCut(), 2);
    store.close();
  }

  /// An acknowledgement comes after the force, however long that takes (D3).
  @Test
  void strongCommitWaitsForTheForceD3() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = SimulatedStore.open(disk, options);
    Space space = store.space("s");
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    disk.faults(call -> {
      if (isForcing(call)) {
        reached.countDown();
        awaitUninterruptibly(release);
      }
      return Fault.NONE;
    });
    CompletableFuture<Commit> commit =
        CompletableFuture.supplyAsync(
            () -> space.put(KEY, Bytes.of(1)), task -> Thread.ofVirtual().start(task));
    CompletableFuture<Commit> later =
        CompletableFuture.supplyAsync(
            () -> space.put(Bytes.of("other"), KEY), task -> Thread.ofVirtual().start(task));
    reached.await();
    assertThat(commit).isNotDone();
    assertThat(later).isNotDone();
    release.countDown();
    assertThat(commit.get()).isNotEqualTo(later.get());
    store.close();
  }

  /// A log may be forced by a force or by a write that is synchronous.
  private static boolean isForcing(DiskCall call) {
    return call.operation() == DiskOperation.FORCE || call.operation() == DiskOperation.WRITE;
  }

  @Test
  void durableStoreRefusesNone(@TempDir Path directory) {
    try (Store store = Store.open(directory, Stores.tiny())) {
      Space space = store.space("s");
      assertThatThrownBy(() -> space.with(Durability.NONE).put(KEY, KEY))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store.transact(Durability.NONE, tx -> tx.put(space, KEY, KEY)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(space.get(KEY)).isNull();
      assertThatThrownBy(() ->
              Store.open(directory.resolve("x"), Stores.tiny().durability(Durability.NONE)).close())
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void requireAfter(SimulatedDisk disk, long number) {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      assertThat(store.space("s").get(KEY)).isEqualTo(Bytes.of(number));
      store.verify().requireSound();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
