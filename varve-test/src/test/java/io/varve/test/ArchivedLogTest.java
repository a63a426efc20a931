package io.varve.test;

import static io.varve.test.ArchivedLogs.GROWING;
import static io.varve.test.ArchivedLogs.KEEPING;
import static io.varve.test.ArchivedLogs.closeDead;
import static io.varve.test.ArchivedLogs.delete;
import static io.varve.test.ArchivedLogs.requireRestores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import io.varve.test.ArchivedLogs.History;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// With the log archived, a store can be restored to the state after any commit after a backup, and
/// to any time that was noted. What has become of the extents that the log names makes no
/// difference.
@Tag("slow")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArchivedLogTest {
  private static final Instant LATER = Instant.parse("9999-01-01T00:00:00Z");

  @Test
  void everyCommitAfterABackupCanBeRestored() {
    AtomicInteger replayed = new AtomicInteger();
    Seeds.forEach(
        4,
        seed -> {
          boolean encrypted = Stores.isEncrypted(seed);
          History history = new History(seed, encrypted);
          history.backup();
          for (int round = 1 + history.random.nextInt(4); round > 0; round--) {
            for (int i = history.random.nextInt(80); i > 0; i--) {
              history.step();
            }
            history.backup();
          }
          history.endOpen(true);
          history.backup();
          history.store.close();
          for (var state : history.states.entrySet()) {
            if (history.random.nextInt(4) == 0) {
              Restored restored =
                  requireRestores(
                      history.backups,
                      RestoreTo.commit(state.getKey()),
                      state.getValue(),
                      encrypted);
              if (restored.lastCommit().isAfter(restored.point().lastCommit())) {
                replayed.incrementAndGet();
              }
            }
          }
        });
    assertThat(replayed.get()).as("restored by the log").isGreaterThan(15);
  }

  /// The ring of the log becomes longer, which changes the header of a segment that a backup has.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBackupFollowsASegmentWhoseRingBecameLonger(boolean encrypted) throws IOException {
    SimulatedDisk backups = new SimulatedDisk(1);
    SimulatedDisk disk = new SimulatedDisk(2);
    StoreOptions options = encrypted ? GROWING.encryption(Stores.key()) : GROWING;
    Model expected;
    Commit last;
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      space.put(Bytes.of("k"), Bytes.of("v"));
      long ring = ringBytes(disk);
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      for (int i = 0; ringBytes(disk) == ring; i++) {
        assertThat(i).as("commits").isLessThan(1000);
        try (Transaction transaction = store.begin()) {
          for (int part = 0; part < 4; part++) {
            transaction.put(space, Bytes.of("k" + part), new byte[10_000]);
          }
          transaction.commit();
        }
      }
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      last = space.put(Bytes.of("k"), Bytes.of("last"));
      expected = Model.of(store);
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    requireRestores(backups, RestoreTo.commit(last), expected, encrypted);
  }

  private static long ringBytes(SimulatedDisk disk) throws IOException {
    try (DiskFile ring = disk.asDisk().open("log/ring", FileOption.READ_ONLY)) {
      return ring.size();
    }
  }

  /// A value is in the log before the point from which the restore starts, and its commit after it.
  @Test
  void aValueThatWasUnderWayAtABackupIsRestored() {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), KEEPING)) {
      Space space = store.space("s");
      Transaction open = store.begin();
      byte[] value = new byte[2_500_000];
      new SplittableRandom(1).nextBytes(value);
      open.put(space, Bytes.of("large"), value);
      Transaction abandoned = store.begin();
      abandoned.put(space, Bytes.of("never"), value);
      for (int i = 0; i < 5; i++) {
        space.put(Bytes.of("k"), Bytes.of(i));
        store.checkpoint();
      }
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Commit commit = open.commit();
      abandoned.close();
      Model expected = Model.of(store);
      space.delete(Bytes.of("large"));
      for (int i = 0; i < 5; i++) {
        space.put(Bytes.of("other"), value); // over its extents
        store.checkpoint();
      }
      BackupPoint last = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThat(last.number()).isEqualTo(2);
      Restored restored = requireRestores(backups, RestoreTo.commit(commit), expected);
      assertThat(restored.point().number()).isEqualTo(1);
    }
  }

  @Test
  void aTimeLeadsToTheNewestStateNotedBefore() {
    SimulatedClock clock = new SimulatedClock();
    SimulatedDisk backups = new SimulatedDisk(1);
    NavigableMap<Instant, Model> states = new TreeMap<>();
    Model model = new Model();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), clock, KEEPING)) {
      Space space = store.space("s");
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      for (int i = 0; i < 10; i++) {
        byte[] key = Bytes.of("k" + i % 3);
        byte[] value = Bytes.of("v" + i);
        Commit commit = space.with(Durability.BACKGROUND).put(key, value);
        model.put("s", key, value);
        while (store.lastCommit().equals(commit)) { // until the time was noted after it
          clock.advance(Duration.ofMillis(100));
          now = now.plusMillis(100);
          Thread.onSpinWait();
        }
        clock.advance(Duration.ofSeconds(10));
        now = now.plusSeconds(10);
        states.put(now.minusSeconds(5), model.copy()); // before the next commit, surely
      }
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    states.forEach((time, state) -> requireRestores(backups, RestoreTo.time(time), state));
    assertThatThrownBy(() ->
            SimulatedStore.restore(backups, new SimulatedDisk(3), RestoreTo.time(Instant.EPOCH)))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("younger");
  }

  /// What was noted at a time is the state of that time, and of no millisecond before it.
  @Test
  void aTimeHasWhatWasNotedAtIt() {
    SimulatedClock clock = new SimulatedClock();
    SimulatedDisk backups = new SimulatedDisk(1);
    Instant opened = Instant.parse("2026-01-01T00:00:00Z");
    int ticks = 0;
    Commit commit;
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), clock, KEEPING)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      commit = store.space("s").put(Bytes.of("k"), Bytes.of("v"));
      for (; store.lastCommit().equals(commit); ticks++) { // until the time was noted after it
        clock.advance(Duration.ofMillis(100));
        Thread.onSpinWait();
      }
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    long before = 0;
    long since = ticks * 100L;
    while (since - before > 1) {
      long millis = (before + since) / 2;
      RestoreTo time = RestoreTo.time(opened.plusMillis(millis));
      Restored restored = Stores.restore(backups, new SimulatedDisk(2), time, false);
      if (restored.lastCommit().isBefore(commit)) {
        before = millis;
      } else {
        since = millis;
      }
    }
    assertThat(since % 100).as("of %s ms", since).isZero();
  }

  /// What backups do not need goes with the points that needed it, and the rest still restores.
  @Test
  void logThatNoPointNeedsIsPruned() throws Exception {
    History history = new History(4);
    for (int round = 0; round < 4; round++) {
      history.points.add(
          SimulatedStore.backup(
              history.store, history.backups, BackupOptions.defaults().full(true)));
      for (int i = 0; i < 60; i++) {
        history.step();
      }
    }
    history.endOpen(false);
    history.backup();
    history.store.close();
    long before = history.backups.usedBytes();
    SimulatedStore.prune(history.backups, 2);
    assertThat(history.backups.usedBytes()).isLessThan(before);
    BackupPoint oldest = history.points.get(3);
    int restored = 0;
    for (var state : history.states.tailMap(oldest.lastCommit()).entrySet()) {
      if (history.random.nextInt(6) == 0) {
        requireRestores(history.backups, RestoreTo.commit(state.getKey()), state.getValue());
        restored++;
      }
    }
    assertThat(restored).isPositive();
  }

  @Test
  void aCommitAfterTheArchivedLogIsRefused() {
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), KEEPING)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Commit commit = store.space("s").put(Bytes.of("k"), Bytes.of("v"));
      assertThatThrownBy(
              () -> SimulatedStore.restore(backups, new SimulatedDisk(2), RestoreTo.commit(commit)))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("ends before that commit");
    }
  }

  /// The thread that notes the time does not end unnoticed.
  @Test
  void aStoreThatCannotNoteTheTimeFails() {
    SimulatedClock clock = new SimulatedClock();
    AtomicBoolean isOpen = new AtomicBoolean();
    Clock broken =
        new Clock() {
          @Override
          public long nanoTime() {
            return clock.asClock().nanoTime();
          }

          @Override
          public long currentTimeMillis() {
            if (isOpen.get()) {
              throw new IllegalStateException("no time");
            }
            return clock.asClock().currentTimeMillis(); // an open notes when it began
          }

          @Override
          public void parkNanos(Object blocker, long nanos) {
            clock.asClock().parkNanos(blocker, nanos);
          }
        };
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = StoreOpener.open(disk.asDisk(), broken, StoreThreads.PLATFORM, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
      isOpen.set(true);
      assertThatThrownBy(
              () -> {
                while (true) {
                  clock.advance(Duration.ofSeconds(1));
                  store.space("s").put(Bytes.of("k"), Bytes.of("v"));
                }
              })
          .isInstanceOf(StoreFailedException.class)
          .hasRootCauseMessage("no time");
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      assertThat(store.space("s").get(Bytes.of("k"))).isEqualTo(Bytes.of("v"));
      store.verify().requireSound();
    }
  }

  /// Nothing takes archived log out of a store but a backup to a directory, and the figures show
  /// it.
  @Test
  void archivedLogIsCountedUntilABackupTakesIt() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      byte[] value = new byte[100_000];
      for (int i = 0; i < 60; i++) {
        store.space("s").put(Bytes.of("k"), value);
        store.checkpoint();
      }
    }
    long inFiles = keptBytes(disk);
    assertThat(inFiles).isGreaterThan(6_000_000);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      assertThat(store.statistics().log().archivedBytes()).isEqualTo(inFiles);
      relieve(store, backups);
      assertThat(store.statistics().log().archivedBytes()).isZero();
      assertThat(keptBytes(disk)).isZero();
    }
  }

  /// Archived log counts within the quota: it fills the store, and a backup to elsewhere relieves
  /// it.
  @Test
  void aBackupRelievesAStoreThatTheArchivedLogHasFilled() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    StoreOptions options = KEEPING.diskBytesMax(16 << 20);
    Store store = SimulatedStore.open(disk, options);
    for (int round = 0; round < 3; round++) {
      int puts = 0;
      try {
        for (; puts < 1_000; puts++) {
          store.space("s").put(Bytes.of(puts % 5), new byte[100_000 + puts]);
        }
      } catch (StoreFullException e) {
        assertThat(store.statistics().disk().usedBytes()).isLessThanOrEqualTo(16 << 20);
      }
      assertThat(puts).as("puts before the store was full").isBetween(40, 400);
      if (round == 1) {
        store.close();
        store = SimulatedStore.open(disk, options);
      }
      Model expected = Model.of(store);
      relieve(store, backups);
      requireRestores(backups, RestoreTo.newest(), expected);
      assertThat(store.statistics().log().archivedBytes()).isZero();
    }
    store.close();
  }

  /// Takes backups until they have all log. The first one's checkpoint lets log continue another
  /// thread, which may be late for it.
  private static void relieve(Store store, SimulatedDisk backups) {
    for (int i = 0; i == 0 || (i < 5 && store.statistics().log().archivedBytes() > 0); i++) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
  }

  private static long keptBytes(SimulatedDisk disk) {
    return keptNames(disk).stream().mapToLong(name -> content(disk, name).length).sum();
  }

  private static List<String> keptNames(SimulatedDisk disk) {
    return disk.fileNames().stream().filter(name -> name.startsWith("log/kept/")).toList();
  }

  private static byte[] content(SimulatedDisk disk, String name) {
    try {
      return disk.content(name);
    } catch (FileNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /// Backups may be where nothing can be written.
  @Test
  void aRestoreWritesNothingToTheBackups() {
    History history = new History(11);
    history.backup();
    for (int i = 0; i < 80; i++) {
      history.step();
    }
    history.endOpen(true);
    history.backup();
    history.store.close();
    long calls = history.backups.mutatingCalls();
    for (var state : history.states.entrySet()) {
      if (history.random.nextInt(10) == 0) {
        requireRestores(history.backups, RestoreTo.commit(state.getKey()), state.getValue());
      }
    }
    assertThat(history.backups.mutatingCalls()).isEqualTo(calls);
  }

  /// A flipped bit in the archived log is noticed, or harms nothing; the points restore all the
  /// same.
  @Test
  void damageInArchivedLogIsNoticed() throws Exception {
    History history = new History(6);
    history.backup();
    for (int i = 0; i < 40; i++) {
      history.step();
    }
    history.endOpen(true);
    Commit last = history.states.lastKey();
    history.store.space("s0").put(Bytes.of("k"), Bytes.of("after"));
    history.backup();
    history.store.close();
    Model expected = history.states.lastEntry().getValue();
    requireRestores(history.backups, RestoreTo.commit(last), expected);
    List<String> files =
        history.backups.fileNames().stream().filter(name -> name.startsWith("log/")).toList();
    int noticed = 0;
    for (int i = 0; i < 60; i++) {
      SimulatedDisk damaged = history.backups.copy();
      String file = files.get(history.random.nextInt(files.size()));
      int size = damaged.content(file).length;
      damaged.flipBit(file, history.random.nextInt(size), history.random.nextInt(8));
      try {
        requireRestores(damaged, RestoreTo.commit(last), expected);
      } catch (CorruptStoreException | StoreIoException e) {
        noticed++;
        requireRestoresPoint(damaged, history.points.getLast());
      }
    }
    assertThat(noticed).as("flips noticed").isGreaterThan(5);
  }

  private static void requireRestoresPoint(SimulatedDisk backups, BackupPoint point) {
    SimulatedDisk target = new SimulatedDisk(8);
    SimulatedStore.restore(backups, target, RestoreTo.point(point.number()));
    try (Store store = SimulatedStore.open(target, Stores.tiny())) {
      store.verify().requireSound();
    }
  }

  /// Power cut, for the store and its backups, at each call that a backup makes on its target: the
  /// log is there or here, and after the next backup every commit can be restored. If the store is
  /// lost with it, what is there leads to a time all the same: newer log was there without the one
  /// before it, and the restore was refused as of a log with a hole.
  @Test
  void aBackupThatBreaksOffLosesNoLog() {
    History history = new History(9);
    history.backup();
    for (int i = 0; i < 50; i++) {
      history.step();
    }
    history.endOpen(true);
    history.store.close();
    Commit wanted = history.states.lastKey();
    Model expected = history.states.lastEntry().getValue();
    boolean done = false;
    for (int call = 1; !done; call++) {
      SimulatedDisk target = history.backups.copy();
      SimulatedDisk disk = history.disk.copy();
      Store store = SimulatedStore.open(disk, KEEPING);
      store.space("s0").put(Bytes.of("k"), Bytes.of("newer log than is kept"));
      List<String> kept = keptNames(disk);
      target.cutPowerAtCall(call);
      try {
        SimulatedStore.backup(store, target, BackupOptions.defaults());
        done = !target.isOff();
      } catch (VarveException e) {
        assertThat(target.isOff()).isTrue();
      }
      SimulatedDisk diskAfter = disk.powerCut();
      closeDead(store);
      SimulatedDisk after = target.powerCut();
      if (!after.fileNames().contains("00000000000000000002.vbk")) {
        assertThat(diskAfter.fileNames()).as("without a point").containsAll(kept);
      }
      Stores.restore(after.copy(), new SimulatedDisk(7), RestoreTo.time(LATER), false);
      try (Store again = SimulatedStore.open(diskAfter, KEEPING)) {
        again.space("s0").put(Bytes.of("k"), Bytes.of("after " + call));
        SimulatedStore.backup(again, after, BackupOptions.defaults());
      }
      delete(after, "00000000000000000002.vbk");
      requireRestores(after, RestoreTo.commit(wanted), expected);
    }
  }
}
