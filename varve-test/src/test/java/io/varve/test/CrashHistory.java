package io.varve.test;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.CorruptStoreException;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A store that is opened, written by some threads and crashed, again and again, with the oracle
/// asked after every open.
final class CrashHistory {
  private static final int WRITERS_MAX = 4;
  private static final int ROUNDS_MAX = 5;
  private static final int OPENS_MAX = 20;

  private final SplittableRandom random;
  private final PrefixOracle oracle = new PrefixOracle();
  private final List<Writer> writers = new ArrayList<>();
  private final int commitsMax;
  private final boolean encrypted;
  private SimulatedDisk disk;
  private Crash crash = Crash.CLEAN_CLOSE;
  private int crashes;
  private int commits;

  private record Writer(RandomCommits script, TrackedWriter tracked, long seed) {}

  /// @param workload what is committed
  /// @param commitsMax the most commits of each writer between two crashes
  CrashHistory(long seed, Workload workload, int commitsMax) {
    this.random = new SplittableRandom(seed);
    this.disk = new SimulatedDisk(seed);
    this.commitsMax = commitsMax;
    this.encrypted = Stores.isEncrypted(seed);
    int count = 1 + random.nextInt(WRITERS_MAX);
    for (int i = 0; i < count; i++) {
      String prefix = count == 1 ? "" : "w" + i + "/";
      Workload own = count == 1 ? workload.keys(workload.ownKeys(), 0) : workload;
      writers.add(
          new Writer(
              new RandomCommits(seed, prefix, own), oracle.writer(prefix), random.nextLong()));
    }
  }

  int crashes() {
    return crashes;
  }

  int commits() {
    return commits;
  }

  void run() throws Exception {
    for (int round = 1 + random.nextInt(ROUNDS_MAX); round > 0; round--) {
      Store store = openThroughCrashes();
      settle(store);
      commitUntilCrash(store);
    }
    disk.cutPowerAtCall(Long.MAX_VALUE);
    Model last;
    try (Store store = SimulatedStore.open(disk, options())) {
      last = settle(store);
    }
    try (Store store = SimulatedStore.open(disk, options())) {
      last.requireEqual(Model.of(store), "reopened after a clean close");
      store.verify().requireSound();
    }
  }

  /// Opens the store; the power may be cut during that, many times.
  private Store openThroughCrashes() {
    for (int attempt = 0; ; attempt++) {
      boolean armed = attempt < OPENS_MAX && random.nextInt(3) == 0;
      disk.cutPowerAtCall(
          armed
              ? disk.mutatingCalls() + 1 + random.nextInt(1 << random.nextInt(9))
              : Long.MAX_VALUE);
      try {
        return SimulatedStore.open(disk, options());
      } catch (VarveException e) {
        if (!disk.isOff() || e instanceof CorruptStoreException) {
          throw new AssertionError("open failed after " + crash, e);
        }
        nextDisk();
      }
    }
  }

  private StoreOptions options() {
    return Stores.random(random, encrypted);
  }

  private void nextDisk() {
    crashes++;
    // What a process crash spared may be lost in a later loss of power, but nothing that was
    // forced.
    boolean power = random.nextBoolean();
    crash = power || crash == Crash.POWER ? Crash.POWER : Crash.PROCESS;
    disk = power ? disk.powerCut() : disk.processCrash();
  }

  /// Checks what the store holds. Since it was opened, that must survive whatever comes.
  private Model settle(Store store) {
    if (disk.isOff()) {
      return new Model(); // cut since the open; the next one shows it
    }
    try {
      Model recovered = Model.of(store);
      store.verify().requireSound();
      commits += oracle.settle(recovered, crash);
      writers.forEach(writer -> writer.script.resume(recovered));
      crash = Crash.CLEAN_CLOSE;
      return recovered;
    } catch (VarveException e) {
      if (!disk.isOff() || e instanceof CorruptStoreException) {
        throw e;
      }
      return new Model();
    }
  }

  private void commitUntilCrash(Store store) throws Exception {
    SimulatedDisk used = disk;
    boolean cutInCalls = random.nextInt(3) > 0;
    if (cutInCalls) {
      used.cutPowerAtCall(used.mutatingCalls() + 1 + random.nextInt(1 << (1 + random.nextInt(11))));
    }
    boolean turnOffAtEnd = random.nextInt(4) > 0;
    var failures = new ConcurrentLinkedQueue<Throwable>();
    List<Thread> threads = new ArrayList<>();
    for (Writer writer : writers) {
      Thread.Builder builder = random.nextBoolean() ? Thread.ofVirtual() : Thread.ofPlatform();
      threads.add(builder.start(() -> commitMany(store, used, writer, failures)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Throwable failure : failures) {
      throw new AssertionError("commits failed, disk off: " + used.isOff(), failure);
    }
    if (turnOffAtEnd || used.isOff()) {
      used.turnOff();
      nextDisk();
      closeDead(store);
    } else {
      closeAlive(store, used);
    }
  }

  private void commitMany(
      Store store, SimulatedDisk used, Writer writer, ConcurrentLinkedQueue<Throwable> failures) {
    SplittableRandom own = new SplittableRandom(writer.seed + crashes);
    try {
      for (int i = own.nextInt(commitsMax); i > 0 && !used.isOff(); i--) {
        RandomCommit commit = writer.script.next();
        writer.script.accept(commit);
        commit.runOn(store, writer.tracked.begin(commit.changes()));
        if (own.nextInt(30) == 0) {
          maintain(store, own);
        }
      }
    } catch (ConflictException | CorruptStoreException | AssertionError e) {
      failures.add(e);
    } catch (VarveException e) {
      if (!used.isOff()) {
        failures.add(e);
      }
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  private void maintain(Store store, SplittableRandom own) {
    switch (own.nextInt(5)) {
      case 0 -> store.checkpoint();
      case 1 -> {
        Commit last = store.lastCommit();
        store.awaitDurable(last);
        oracle.durable(last.lsn());
      }
      case 2 -> {
        try (Snapshot snapshot = store.snapshot(Visibility.DURABLE)) {
          oracle.durable(snapshot.lastCommit().lsn());
        }
      }
      case 3 -> store.whenDurable(store.lastCommit()).thenAccept(it -> oracle.durable(it.lsn()));
      default -> store.compact();
    }
  }

  /// The store of a machine that is off: it must release everything all the same.
  private static void closeDead(Store store) {
    try {
      store.close();
    } catch (CorruptStoreException | ConflictException e) {
      throw e;
    } catch (VarveException e) {
      // It could not write its checkpoint; that it returned is what counts.
    }
  }

  private void closeAlive(Store store, SimulatedDisk used) {
    crash = Crash.CLEAN_CLOSE;
    Commit last = store.lastCommit();
    try {
      store.close();
      if (!used.isOff()) {
        oracle.durable(last.lsn()); // the power may be cut during the close, and then it was none
      }
    } catch (CorruptStoreException | ConflictException e) {
      throw e;
    } catch (VarveException e) {
      if (!used.isOff()) {
        throw e;
      }
    }
    if (used.isOff()) {
      nextDisk();
    }
  }
}
