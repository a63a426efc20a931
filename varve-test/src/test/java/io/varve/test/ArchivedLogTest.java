package io.varve.test;

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
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// With the log archived, a store can be restored to the state after any commit after a backup, and
/// to any time that was noted. What has become of the extents that the log names makes no
/// difference.
@Tag("slow")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArchivedLogTest {
  private static final StoreOptions KEEPING = Stores.tiny().archiveLog(true);

  /// A history whose state is known after each commit.
  private static final class History {
    final SplittableRandom random;
    final SimulatedDisk backups;
    final NavigableMap<Commit, Model> states = new TreeMap<>();
    final List<BackupPoint> points = new ArrayList<>();
    private final Model model = new Model();
    private SimulatedDisk disk;
    private Store store;

    /// Open over many commits and backups, with large values that the log holds already.
    private @Nullable Transaction open;

    private final Model ofOpen = new Model();
    private final StoreOptions options;

    History(long seed) {
      this(seed, false);
    }

    History(long seed, boolean encrypted) {
      StoreOptions keeping = seed % 2 == 0 ? KEEPING : KEEPING.compression("deflate");
      options = encrypted ? keeping.encryption(Stores.key()) : keeping;
      random = new SplittableRandom(seed);
      disk = new SimulatedDisk(seed);
      backups = new SimulatedDisk(seed + 1);
      store = SimulatedStore.open(disk, options);
    }

    void step() {
      Space space = store.space("s" + random.nextInt(2));
      int dice = random.nextInt(100);
      if (dice < 40) {
        put(space, random.nextInt(300));
      } else if (dice < 50) {
        put(space, random.nextInt(20_000));
      } else if (dice < 65) {
        put(space, 131_073 + random.nextInt(100_000));
      } else if (dice < 68) {
        put(space, 1_000_000 + random.nextInt(2_000_000));
      } else if (dice < 72) {
        byte[] key = key();
        byte[] value = value(300 + random.nextInt(10_000));
        model.put(space.name(), key, value);
        note(space.put(key, new ByteArrayInputStream(value), value.length));
      } else if (dice < 84) {
        byte[] key = key();
        model.delete(space.name(), key);
        note(space.delete(key));
      } else if (dice < 85) {
        store.dropSpace(space.name());
        List.copyOf(model.entries(space.name()).keySet())
            .forEach(key -> model.delete(space.name(), key));
        endOpen(false);
        states.put(store.lastCommit(), model.copy());
      } else if (dice < 90) {
        store.checkpoint();
      } else if (dice < 91) {
        store.compact();
      } else if (dice < 94) {
        writeInOpen(space);
      } else if (dice < 96) {
        endOpen(true);
      } else {
        reopen();
      }
    }

    private void writeInOpen(Space space) {
      Transaction present = open == null ? store.begin() : open;
      open = present;
      byte[] key = key();
      byte[] value = value(131_073 + random.nextInt(1_200_000));
      present.put(space, key, value);
      ofOpen.put(space.name(), key, value);
    }

    void endOpen(boolean commit) {
      Transaction ended = open;
      if (ended == null) {
        return;
      }
      if (commit) {
        Commit last = ended.commit();
        for (String space : ofOpen.spaceNames()) {
          ofOpen.entries(space).forEach((key, value) -> model.put(space, key, value));
        }
        note(last);
      } else {
        ended.close();
      }
      open = null;
      for (String space : ofOpen.spaceNames()) {
        List.copyOf(ofOpen.entries(space).keySet()).forEach(key -> ofOpen.delete(space, key));
      }
    }

    private void put(Space space, int bytes) {
      byte[] key = key();
      byte[] value = value(bytes);
      model.put(space.name(), key, value);
      note(space.put(key, value));
    }

    private void note(Commit commit) {
      states.put(commit, model.copy());
    }

    private byte[] key() {
      return Bytes.of("k" + random.nextInt(60));
    }

    private byte[] value(int bytes) {
      byte[] value = new byte[bytes];
      random.nextBytes(value);
      Arrays.fill(value, bytes / 2, bytes, (byte) '-'); // compresses
      return value;
    }

    private void reopen() {
      endOpen(false);
      if (random.nextBoolean()) {
        store.close();
      } else {
        SimulatedDisk after = random.nextBoolean() ? disk.powerCut() : disk.processCrash();
        closeDead(store);
        disk = after;
      }
      store = SimulatedStore.open(disk, options);
      model.requireEqual(Model.of(store), "reopened");
    }

    void backup() {
      points.add(SimulatedStore.backup(store, backups, BackupOptions.defaults()));
    }
  }

  private static Restored requireRestores(SimulatedDisk backups, RestoreTo state, Model expected) {
    return requireRestores(backups, state, expected, false);
  }

  private static Restored requireRestores(
      SimulatedDisk backups, RestoreTo state, Model expected, boolean encrypted) {
    SimulatedDisk target = new SimulatedDisk(7);
    Restored restored = Stores.restore(backups, target, state, encrypted);
    try (Store store = SimulatedStore.open(target.powerCut(), Stores.tiny(encrypted))) {
      expected.requireEqual(Model.of(store), "restored " + state + " from " + restored);
      store.verify().requireSound();
      assertThat(store.space("after").put(Bytes.of("k"), Bytes.of("v")))
          .isGreaterThan(restored.lastCommit());
    }
    return restored;
  }

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

  /// Opens and closes that commit nothing leave no log, and no hole.
  @Test
  void livesWithoutCommitsLeaveNoHole() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    SimulatedStore.open(disk, KEEPING).close();
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.checkpoint();
      store.compact();
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      Commit commit = store.space("s").put(Bytes.of("k"), Bytes.of("second"));
      Model expected = Model.of(store);
      store.space("s").put(Bytes.of("k"), Bytes.of("third"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Restored restored = requireRestores(backups, RestoreTo.commit(commit), expected);
      assertThat(restored.point().number()).isEqualTo(1);
      assertThat(restored.lastCommit()).isEqualTo(commit);
    }
  }

  /// What a life without the option did not keep is a hole, which no restore gets over silently.
  @Test
  void aHoleInTheArchivedLogIsRefused() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("not kept"));
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      Commit commit = store.space("s").put(Bytes.of("k"), Bytes.of("kept"));
      store.space("s").put(Bytes.of("k"), Bytes.of("kept, too"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThatThrownBy(
              () -> SimulatedStore.restore(backups, new SimulatedDisk(2), RestoreTo.commit(commit)))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("log has a hole");
      requireRestores(backups, RestoreTo.newest(), Model.of(store));
    }
  }

  /// A hole after the wanted state does no harm, nor does one right after it.
  @Test
  void aHoleAfterTheWantedStateDoesNoHarm() {
    SimulatedClock clock = new SimulatedClock();
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    Instant wanted = Instant.parse("2026-01-01T00:10:00Z");
    Model atThatTime;
    Committed last;
    try (Store store = SimulatedStore.open(disk, clock, KEEPING)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Space space = store.space("s");
      Commit commit = space.put(Bytes.of("k"), Bytes.of("wanted"));
      awaitNote(store, clock, commit);
      atThatTime = Model.of(store);
      clock.advance(Duration.ofHours(1));
      commit = space.put(Bytes.of("k"), Bytes.of("last"));
      awaitNote(store, clock, commit);
      last = new Committed(store.lastCommit(), Model.of(store));
    }
    try (Store store = SimulatedStore.open(disk, clock, Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("not kept"));
    }
    try (Store store = SimulatedStore.open(disk, clock, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("kept"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    requireRestores(backups, RestoreTo.time(wanted), atThatTime);
    requireRestores(backups, RestoreTo.commit(last.commit), last.state);
  }

  /// Waits until the time was noted after a commit. The clock moves on slowly enough for the thread
  /// that notes it to be there before minutes have passed.
  private static void awaitNote(Store store, SimulatedClock clock, Commit commit) {
    while (store.lastCommit().equals(commit)) {
      clock.advance(Duration.ofMillis(100));
      LockSupport.parkNanos(2_000_000);
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
  /// log is there or here, and after the next backup every commit can be restored.
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
      try (Store again = SimulatedStore.open(diskAfter, KEEPING)) {
        again.space("s0").put(Bytes.of("k"), Bytes.of("after " + call));
        SimulatedStore.backup(again, after, BackupOptions.defaults());
      }
      delete(after, "00000000000000000002.vbk");
      requireRestores(after, RestoreTo.commit(wanted), expected);
    }
  }

  /// Stores count generations and LSNs alike. What is backed up to one directory, as a store and
  /// what was restored from it are, or two new ones, stays: the log of each leads to its commits.
  @Test
  void storesThatShareADirectoryKeepTheirLogs() {
    SimulatedDisk backups = new SimulatedDisk(1);
    SimulatedDisk restored = new SimulatedDisk(2);
    List<Committed> ofStores = new ArrayList<>();
    ofStores.add(backUpTwice(new SimulatedDisk(3), backups, "origin"));
    SimulatedStore.restore(backups, restored, RestoreTo.point(1));
    ofStores.add(backUpTwice(restored, backups, "restored"));
    ofStores.add(backUpTwice(new SimulatedDisk(4), backups, "a new one with more of a log"));
    ofStores.add(backUpTwice(new SimulatedDisk(5), backups, "another"));
    SimulatedStore.prune(backups, 8);
    for (Committed last : ofStores.reversed()) {
      requireRestores(backups, RestoreTo.commit(last.commit), last.state);
      List<String> points =
          backups.fileNames().stream().filter(name -> name.endsWith(".vbk")).sorted().toList();
      points.reversed().stream().limit(2).forEach(name -> delete(backups, name));
    }
    assertThat(ofStores).hasSize(4);
  }

  private record Committed(Commit commit, Model state) {}

  /// @return a commit that the archived log alone leads to
  private static Committed backUpTwice(SimulatedDisk disk, SimulatedDisk backups, String value) {
    Committed between;
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      Space space = store.space("s");
      space.put(Bytes.of("k"), Bytes.of(value));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      for (int i = 0; i < 100; i++) {
        space.put(Bytes.of(i), Bytes.of(value + i));
      }
      between = new Committed(store.lastCommit(), Model.of(store));
      space.put(Bytes.of("k"), Bytes.of(value + " later"));
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of(value + " again"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    return between;
  }

  /// LSNs of two stores cannot be compared: a commit or time is one of the newest point's store.
  @Test
  void aCommitIsNotLookedForInAnotherStore() {
    SimulatedDisk backups = new SimulatedDisk(1);
    Committed ofOne = backUpTwice(new SimulatedDisk(2), backups, "one");
    try (Store store = SimulatedStore.open(new SimulatedDisk(3), KEEPING)) {
      for (int i = 0; i < 500; i++) {
        store.space("s").put(Bytes.of(i), new byte[1_000]);
      }
      BackupPoint point = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThat(point.lastCommit()).isGreaterThan(ofOne.commit);
      assertThatThrownBy(() ->
              SimulatedStore.restore(backups, new SimulatedDisk(4), RestoreTo.commit(ofOne.commit)))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContainingAll("another store", "number 1 ", point.store().toString());
    }
  }

  /// Of two stores with one id, each with a history of its own, only the first one's log goes
  /// there.
  @Test
  void theLogOfACopyOfAStoreDoesNotTakeThePlaceOfItsOrigins() {
    SimulatedDisk backups = new SimulatedDisk(1);
    SimulatedDisk disk = new SimulatedDisk(2);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
    }
    SimulatedDisk copied = disk.copy();
    Committed ofOrigin = backUpTwice(disk, backups, "origin");
    SimulatedDisk before = backups.copy();
    try (Store copy = SimulatedStore.open(copied, KEEPING)) {
      for (int i = 0; i < 100; i++) {
        copy.space("s").put(Bytes.of(i), Bytes.of("of the copy " + i));
      }
    }
    try (Store copy = SimulatedStore.open(copied, KEEPING)) {
      long kept = copy.statistics().log().archivedBytes();
      assertThat(kept).isPositive();
      assertThatThrownBy(() -> SimulatedStore.backup(copy, backups, BackupOptions.defaults()))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("another history");
      assertThat(copy.statistics().log().archivedBytes()).isGreaterThanOrEqualTo(kept);
      SimulatedStore.backup(copy, new SimulatedDisk(5), BackupOptions.defaults());
    }
    assertThat(backups.fileNames()).containsAll(before.fileNames());
    requireRestores(backups, RestoreTo.commit(ofOrigin.commit), ofOrigin.state);
  }

  private static void closeDead(Store store) {
    try {
      store.close();
    } catch (VarveException e) {
      // The disk is off.
    }
  }

  private static void delete(SimulatedDisk disk, String name) {
    try {
      disk.asDisk().delete(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
