package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.ProgressListener;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.Verification;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A backup is one point of the commit order, whatever runs concurrently with it; every point of a
/// chain restores to the store that it was taken of; and what breaks off or is damaged is noticed,
/// and never restored as if it were whole.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupTest {
  private static final BackupOptions FULL = BackupOptions.defaults().full(true);

  /// A history of one store with backups into one directory.
  private static final class History {
    final SplittableRandom random;
    final RandomCommits script;
    final SimulatedDisk backups;
    final boolean encrypted;
    final List<BackupPoint> points = new ArrayList<>();
    final List<Model> models = new ArrayList<>();
    SimulatedDisk disk;
    Store store;
    Model model = new Model();
    private TrackedWriter writer = new PrefixOracle().writer("");

    History(long seed) {
      random = new SplittableRandom(seed);
      encrypted = Stores.isEncrypted(seed);
      disk = new SimulatedDisk(seed);
      backups = new SimulatedDisk(seed + 1);
      script = new RandomCommits(seed, "", Workload.small().keys(200, 0).valueBytesMax(300_000));
      store = SimulatedStore.open(disk, Stores.random(random, encrypted));
    }

    void commit(int count) {
      for (int i = 0; i < count; i++) {
        RandomCommit commit = script.next();
        script.accept(commit);
        commit.runOn(store, writer.begin(commit.changes()));
        model.applyAll(commit.changes());
      }
    }

    void backup() {
      points.add(
          SimulatedStore.backup(
              store, backups, random.nextInt(8) == 0 ? FULL : BackupOptions.defaults()));
      models.add(model.copy());
    }

    /// Ends the store somehow and opens it again; what the weak durabilities lost is lost.
    void reopen() {
      if (random.nextBoolean()) {
        store.close();
      } else {
        crash(random.nextInt(3) == 0);
      }
      open();
    }

    /// Ends the process, or cuts the power.
    ///
    /// @param fallsBack whether the store must continue from the checkpoint before the newest
    void crash(boolean fallsBack) {
      SimulatedDisk used = disk;
      disk = random.nextBoolean() ? used.powerCut() : used.processCrash();
      closeDead(store);
      if (fallsBack) {
        damageNewestSuperblock(disk);
      }
    }

    void open() {
      store = SimulatedStore.open(disk, Stores.random(random, encrypted));
      model = Model.of(store);
      script.resume(model);
      writer = new PrefixOracle().writer("");
    }

    void restoreAll() {
      for (int i = 0; i < points.size(); i++) {
        requireRestores(backups, RestoreTo.point(points.get(i).number()), models.get(i), encrypted);
      }
    }
  }

  private static void closeDead(Store store) {
    try {
      store.close();
    } catch (VarveException e) {
      // It could not write its checkpoint: the disk is off.
    }
  }

  /// So that the store continues from the checkpoint before.
  private static void damageNewestSuperblock(SimulatedDisk disk) {
    try {
      byte[] pages = disk.content("pages");
      int newest = sequence(pages, 0) > sequence(pages, 16384) ? 0 : 16384;
      disk.flipBit("pages", newest + 100, 3);
    } catch (java.io.FileNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static long sequence(byte[] pages, int slot) {
    return java.nio.ByteBuffer.wrap(pages)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .getLong(slot + 32);
  }

  private static void requireRestores(SimulatedDisk backups, RestoreTo state, Model expected) {
    requireRestores(backups, state, expected, false);
  }

  private static void requireRestores(
      SimulatedDisk backups, RestoreTo state, Model expected, boolean encrypted) {
    SimulatedDisk target = new SimulatedDisk(7);
    Stores.restore(backups, target, state, encrypted);
    try (Store restored = SimulatedStore.open(target.powerCut(), Stores.tiny(encrypted))) {
      expected.requireEqual(Model.of(restored), "restored " + state);
      restored.verify().requireSound();
      restored.space("after").put(Bytes.of("k"), Bytes.of("v"));
    }
  }

  @Test
  void everyPointOfAChainRestores() {
    AtomicInteger incremental = new AtomicInteger();
    Seeds.forEach(
        15,
        seed -> {
          History history = new History(seed);
          for (int round = 2 + history.random.nextInt(6); round > 0; round--) {
            history.commit(history.random.nextInt(150));
            switch (history.random.nextInt(6)) {
              case 0 -> history.store.compact();
              case 1 -> history.store.checkpoint();
              case 2, 3 -> history.reopen();
              default -> {}
            }
            history.backup();
          }
          history.store.verify().requireSound();
          history.store.close();
          history.restoreAll();
          incremental.addAndGet(
              (int) history.points.stream().filter(point -> !point.isFull()).count());
        });
    assertThat(incremental.get()).as("points that continue from another").isGreaterThan(10);
  }

  /// A store that goes back to the same checkpoint again and again lives through several branches
  /// of history, of which the points hold one each.
  @Test
  void branchesOfHistoryAreNotMixed() {
    Seeds.forEach(
        6,
        seed -> {
          History history = new History(seed);
          for (int round = 0; round < 5; round++) {
            history.commit(1 + history.random.nextInt(40));
            history.backup();
            history.crash(true);
            history.open();
          }
          history.backup();
          history.store.verify().requireSound();
          history.store.close();
          history.restoreAll();
        });
  }

  /// A long history copies far less with each incremental backup than a full one holds.
  @Test
  void anIncrementalBackupHoldsWhatChanged() {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
      Space space = store.space("s");
      SplittableRandom random = new SplittableRandom(1);
      store.transact(tx -> {
        for (int i = 0; i < 5_000; i++) {
          byte[] value = new byte[200];
          random.nextBytes(value);
          tx.put(space, Bytes.of(i), value);
        }
      });
      byte[] large = new byte[3 << 20];
      random.nextBytes(large);
      space.put(Bytes.of(2_500), large);
      BackupPoint full = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      space.put(Bytes.of(2_501), Bytes.of("next to the large value"));
      BackupPoint next = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThat(full.isFull()).isTrue();
      assertThat(next.base()).isEqualTo(full.number());
      assertThat(full.bytes()).isGreaterThan(4_000_000);
      assertThat(next.bytes()).isLessThan(40_000);
      requireRestores(backups, RestoreTo.newest(), Model.of(store));
      BackupPoint unchanged = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThat(unchanged.bytes()).isLessThan(12_000);
      requireRestores(backups, RestoreTo.newest(), Model.of(store));
    }
  }

  /// Committers continue while the backup is written, and it holds one point of their order.
  @Test
  void aBackupDuringCommitsIsOnePoint() throws Exception {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
      Space a = store.space("a");
      Space b = store.space("b");
      AtomicLong acknowledged = new AtomicLong();
      AtomicInteger stop = new AtomicInteger();
      Thread committer =
          Thread.ofPlatform()
              .start(() -> {
                SplittableRandom random = new SplittableRandom(2);
                for (long i = 1; stop.get() == 0; i++) {
                  byte[] number = Bytes.of(i);
                  byte[] filler = new byte[random.nextInt(3_000)];
                  store.transact(tx -> {
                    tx.put(a, Bytes.of("n"), number);
                    tx.put(b, Bytes.of("n"), number);
                    tx.put(b, Bytes.of(random.nextLong(500)), filler);
                  });
                  acknowledged.set(i);
                }
              });
      for (int i = 0; i < 8; i++) {
        long before = acknowledged.get();
        BackupPoint point = SimulatedStore.backup(store, backups, BackupOptions.defaults());
        long after = acknowledged.get() + 1;
        SimulatedDisk target = new SimulatedDisk(i);
        SimulatedStore.restore(backups, target, RestoreTo.point(point.number()));
        try (Store restored = SimulatedStore.open(target, Stores.tiny())) {
          long inA = Bytes.toLong(restored.space("a").get(Bytes.of("n")));
          assertThat(inA).isBetween(before, after);
          assertThat(Bytes.toLong(restored.space("b").get(Bytes.of("n")))).isEqualTo(inA);
          restored.verify().requireSound();
        }
        if (i % 4 == 3) {
          store.compact();
        }
      }
      stop.set(1);
      committer.join();
      store.verify().requireSound();
    }
  }

  /// Power cut at each call that a backup makes on its target: the points before it stay, it is
  /// there whole or not at all, and the next one works.
  @Test
  void aBackupThatBreaksOffLeavesWholePointsAlone() {
    Seeds.forEach(
        3,
        seed -> {
          History history = new History(seed);
          history.commit(60);
          history.backup();
          history.commit(60);
          boolean done = false;
          for (int call = 1; !done; call++) {
            SimulatedDisk target = history.backups.copy();
            target.cutPowerAtCall(call);
            try {
              SimulatedStore.backup(history.store, target, BackupOptions.defaults());
              done = !target.isOff();
            } catch (VarveException e) {
              assertThat(target.isOff()).isTrue();
            }
            SimulatedDisk after = target.powerCut();
            requireRestores(
                after, RestoreTo.point(1), history.models.getFirst(), history.encrypted);
            if (after.fileNames().contains("00000000000000000002.vbk")) {
              requireRestores(after, RestoreTo.newest(), history.model, history.encrypted);
            }
            SimulatedStore.backup(history.store, after, BackupOptions.defaults());
            requireRestores(after, RestoreTo.newest(), history.model, history.encrypted);
          }
          history.store.close();
        });
  }

  /// A flipped bit anywhere in the files of a chain is noticed, by file, or harms nothing.
  @Test
  void damageInABackupIsNoticed() {
    AtomicInteger noticed = new AtomicInteger();
    Seeds.forEach(
        3,
        seed -> {
          History history = new History(seed);
          for (int i = 0; i < 3; i++) {
            history.commit(50);
            history.backup();
          }
          history.store.close();
          for (int i = 0; i < 120; i++) {
            SimulatedDisk damaged = history.backups.copy();
            List<String> files =
                damaged.fileNames().stream().filter(name -> name.endsWith(".vbk")).toList();
            String file = files.get(history.random.nextInt(files.size()));
            int size = damaged.content(file).length;
            int position =
                i % 4 == 0
                    ? size - 4096 + history.random.nextInt(4096)
                    : history.random.nextInt(size);
            damaged.flipBit(file, position, history.random.nextInt(8));
            try {
              requireRestores(damaged, RestoreTo.newest(), history.model, history.encrypted);
            } catch (CorruptStoreException e) {
              noticed.incrementAndGet();
              assertThat(e.getMessage()).contains("file=", file);
            }
          }
        });
    assertThat(noticed.get()).as("flips noticed").isGreaterThan(200);
  }

  @Test
  void aRestoredStoreBeginsAChainOfItsOwn() {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    SimulatedDisk target = new SimulatedDisk(2);
    SimulatedStore.restore(backups, target, RestoreTo.newest());
    try (Store restored = SimulatedStore.open(target, Stores.tiny())) {
      restored.space("s").put(Bytes.of("k"), Bytes.of("second"));
      BackupPoint own = SimulatedStore.backup(restored, backups, BackupOptions.defaults());
      assertThat(own.isFull()).isTrue();
      assertThat(own.number()).isEqualTo(2);
      restored.space("s").put(Bytes.of("k"), Bytes.of("third"));
      assertThat(SimulatedStore.backup(restored, backups, BackupOptions.defaults()).base())
          .isEqualTo(2);
      requireRestores(backups, RestoreTo.newest(), Model.of(restored));
    }
  }

  @Test
  void aChainThatLacksAFileIsRefusedAndNotContinued() {
    History history = new History(3);
    for (int i = 0; i < 3; i++) {
      history.commit(20);
      SimulatedStore.backup(history.store, history.backups, BackupOptions.defaults());
    }
    SimulatedDisk holed = history.backups.copy();
    delete(holed, "00000000000000000002.vbk");
    assertThatThrownBy(() ->
            Stores.restore(holed, new SimulatedDisk(1), RestoreTo.newest(), history.encrypted))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("00000000000000000002.vbk");
    BackupPoint next = SimulatedStore.backup(history.store, holed, BackupOptions.defaults());
    assertThat(next.isFull()).isTrue();
    requireRestores(holed, RestoreTo.newest(), history.model, history.encrypted);
    history.store.close();
  }

  private static void delete(SimulatedDisk disk, String name) {
    try {
      disk.asDisk().delete(name);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /// Power cut at each call of a restore: what is left is no store, and is refused, or a whole one.
  @Test
  void aRestoreThatBreaksOffLeavesNoStore() {
    for (long seed = 5; seed <= 6; seed++) {
      cutEachCallOfARestore(new History(seed));
    }
  }

  private static void cutEachCallOfARestore(History history) {
    history.commit(40);
    history.backup();
    history.store.close();
    boolean done = false;
    for (int call = 1; !done; call++) {
      SimulatedDisk target = new SimulatedDisk(call);
      target.cutPowerAtCall(call);
      try {
        Stores.restore(history.backups, target, RestoreTo.newest(), history.encrypted);
        done = !target.isOff();
      } catch (VarveException e) {
        assertThat(target.isOff()).isTrue();
      }
      SimulatedDisk after = target.powerCut();
      StoreOptions options = Stores.tiny(history.encrypted);
      if (after.fileNames().contains("pages")) {
        try (Store store = SimulatedStore.open(after, options)) {
          history.model.requireEqual(Model.of(store), "restored, cut at call " + call);
        }
      } else if (after.fileNames().contains("pages.restoring")) {
        assertThatThrownBy(() -> SimulatedStore.open(after, options))
            .isInstanceOf(StoreIoException.class)
            .hasMessageContaining("restore");
      }
    }
  }

  /// A snapshot is verified as it is, whatever is committed concurrently, and progress is reported.
  @Test
  void aSnapshotIsVerifiedDuringCommits() {
    History history = new History(8);
    history.commit(100);
    AtomicLong bytes = new AtomicLong();
    try (Snapshot snapshot = history.store.snapshot()) {
      long entries = history.model.entryCount();
      history.commit(100);
      Verification found = history.store.verify(snapshot, (done, _) -> bytes.set(done));
      found.requireSound();
      assertThat(found.entries()).isEqualTo(entries);
      try (Store other = Store.inMemory()) {
        assertThatThrownBy(() -> other.verify(snapshot, ProgressListener.none()))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
    history.store.verify((done, _) -> bytes.set(done)).requireSound();
    assertThat(bytes.get()).isPositive();
    history.store.close();
  }

  /// Without an archived log nothing leads after a point: a commit there is refused rather than
  /// left out, and of a time the newest point before is all that is known.
  @Test
  void aCommitAfterAPointWithoutLogIsRefused() {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
      BackupPoint point = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Model expected = Model.of(store);
      Commit lsn = store.space("s").put(Bytes.of("k"), Bytes.of("second"));
      assertThatThrownBy(
              () -> SimulatedStore.restore(backups, new SimulatedDisk(2), RestoreTo.commit(lsn)))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContainingAll("no log was kept", "commit=" + lsn.lsn(), "point=1");
      requireRestores(backups, RestoreTo.commit(point.lastCommit()), expected);
      requireRestores(backups, RestoreTo.time(point.time().plusSeconds(60)), expected);
    }
  }

  /// A damaged point is in the way of nothing but itself.
  @Test
  void aStateBeforeADamagedPointRestores() throws Exception {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
      BackupPoint first = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Model expected = Model.of(store);
      store.space("s").put(Bytes.of("k"), Bytes.of("second"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      String second = "00000000000000000002.vbk";
      backups.flipBit(second, backups.content(second).length - 4096 + 100, 3);
      requireRestores(backups, RestoreTo.commit(first.lastCommit()), expected);
      requireRestores(backups, RestoreTo.time(first.time()), expected);
      for (RestoreTo damaged : List.of(RestoreTo.newest(), RestoreTo.point(2))) {
        assertThatThrownBy(() -> SimulatedStore.restore(backups, new SimulatedDisk(2), damaged))
            .isInstanceOf(CorruptStoreException.class)
            .hasMessageContaining("header does not check");
      }
    }
  }

  @Test
  void aTargetThatIsNotEmptyIsRefused() {
    History history = new History(6);
    history.backup();
    SimulatedDisk used = history.disk;
    history.store.close();
    assertThatThrownBy(
            () -> SimulatedStore.restore(history.backups, used, RestoreTo.newest(), Stores.key()))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("empty directory");
  }
}
