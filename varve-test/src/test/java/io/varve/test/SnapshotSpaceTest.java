package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// What snapshots and backups keep of the file: what they show, and no version more.
class SnapshotSpaceTest {
  private static final int KEYS = 2500;
  private static final int LARGE_EVERY = 100;
  private static final int ROUNDS = 20;

  private final StoreOptions options = Stores.tiny().durability(Durability.BACKGROUND);
  private final SplittableRandom random = new SplittableRandom(1);

  /// Puts a new value to every key; some are large.
  private void rewriteAll(Space space) {
    for (int key = 0; key < KEYS; key++) {
      byte[] value = new byte[key % LARGE_EVERY == 0 ? 8_000 : 300];
      random.nextBytes(value);
      space.put(Bytes.of(key), value);
    }
  }

  private static Map<Integer, byte[]> content(Iterable<Entry> entries) {
    Map<Integer, byte[]> content = new TreeMap<>();
    entries.forEach(entry -> content.put((int) Bytes.toLong(entry.key()), entry.value()));
    return content;
  }

  private static void requireEqual(Map<Integer, byte[]> actual, Map<Integer, byte[]> expected) {
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    actual.forEach((key, value) -> assertThat(value).isEqualTo(expected.get(key)));
  }

  private static long liveBytes(Store store) {
    return store.verify().liveBytes();
  }

  /// Twice what is live, what the snapshot shows, and one checkpoint, which writes all.
  private void rewriteOften(Store store, Space space, long live) {
    for (int round = 0; round < ROUNDS; round++) {
      rewriteAll(space);
      store.checkpoint();
      assertThat(store.statistics().disk().pageFileBytes())
          .as("file after round %d", round)
          .isLessThan(2 * live + live + live);
    }
  }

  /// Versions that were made and retired after a snapshot stayed in the file until it was closed.
  @Test
  void oldSnapshotKeepsItsOwnVersionAlone() {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options)) {
      Space space = store.space("s");
      rewriteAll(space);
      store.checkpoint();
      long live = liveBytes(store);
      Map<Integer, byte[]> then = content(space.scan(Range.all()));
      try (Snapshot snapshot = store.snapshot()) {
        rewriteOften(store, space, live);
        requireEqual(content(snapshot.scan(space, Range.all())), then);
        store.verify().requireSound();
        requireEqual(content(snapshot.scan(space, Range.all())), then);
      }
      rewriteAll(space);
      store.checkpoint();
      store.checkpoint();
      store.verify().requireSound();
    }
  }

  /// The commits come between two writes of the backup.
  @Test
  void runningBackupKeepsWhatItCopiesAlone() {
    SimulatedDisk backups = new SimulatedDisk(2);
    Map<Integer, byte[]> then;
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options)) {
      Space space = store.space("s");
      rewriteAll(space);
      store.checkpoint();
      long live = liveBytes(store);
      then = content(space.scan(Range.all()));
      AtomicBoolean once = new AtomicBoolean();
      backups.faults(call -> {
        if (call.operation() == DiskOperation.WRITE && once.compareAndSet(false, true)) {
          rewriteOften(store, space, live);
        }
        return Fault.NONE;
      });
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThat(once).isTrue();
      store.verify().requireSound();
    }
    SimulatedDisk target = new SimulatedDisk(3);
    SimulatedStore.restore(backups, target, RestoreTo.newest());
    try (Store store = SimulatedStore.open(target, options)) {
      requireEqual(content(store.space("s").scan(Range.all())), then);
      store.verify().requireSound();
    }
  }

  private record Shown(Snapshot snapshot, Map<Integer, byte[]> content) {}

  /// Snapshots come and go among changes, checkpoints and spills: each shows what it did at first.
  @Test
  void manySnapshotsShowTheirOwnVersions() {
    Seeds.forEach(
        6,
        seed -> {
          SplittableRandom choice = new SplittableRandom(seed);
          try (Store store = SimulatedStore.open(new SimulatedDisk(seed), options)) {
            Space space = store.space("s");
            List<Shown> open = new ArrayList<>();
            for (int step = 0; step < 250; step++) {
              switch (choice.nextInt(8)) {
                case 0 -> {
                  Snapshot snapshot = store.snapshot();
                  open.add(new Shown(snapshot, content(snapshot.scan(space, Range.all()))));
                }
                case 1 -> {
                  if (!open.isEmpty()) {
                    close(open.remove(choice.nextInt(open.size())), space);
                  }
                }
                case 2, 3 -> store.checkpoint();
                default -> change(space, choice);
              }
            }
            store.verify().requireSound();
            open.forEach(shown -> close(shown, space));
            store.verify().requireSound();
          }
        });
  }

  private static void change(Space space, SplittableRandom choice) {
    for (int i = choice.nextInt(60); i > 0; i--) {
      byte[] key = Bytes.of(choice.nextInt(400));
      byte[] value = new byte[choice.nextInt(20) == 0 ? 3_000 : choice.nextInt(200)];
      choice.nextBytes(value);
      if (choice.nextInt(6) == 0) {
        space.delete(key);
      } else {
        space.put(key, value);
      }
    }
  }

  private static void close(Shown shown, Space space) {
    try (Snapshot snapshot = shown.snapshot()) {
      requireEqual(content(snapshot.scan(space, Range.all())), shown.content());
    }
  }
}
