package io.varve.test.simulation;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.test.Fault;
import io.varve.test.Model;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.SimulatedThreads;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The backups of a store, on a disk of their own that never fails. What one is restored to is the
/// content at the commit that it names.
final class BackupDisk {
  /// Points of a store that are kept at least, when old ones are deleted.
  private static final int KEPT_MIN = 2;

  private final SimulatedThreads threads;
  private final SplittableRandom random;
  private final Trace trace;
  private SimulatedDisk disk;

  /// The points by number, each with what the store's key was then.
  private final NavigableMap<Long, Taken> points = new TreeMap<>();

  private record Taken(BackupPoint point, @Nullable KeySource key) {}

  BackupDisk(SimulatedThreads threads, SplittableRandom random, Trace trace) {
    this.threads = threads;
    this.random = random;
    this.trace = trace;
    this.disk = new SimulatedDisk(random.nextLong());
    begin();
  }

  private void begin() {
    disk.faults(_ -> {
      threads.giveTurn();
      return Fault.NONE;
    });
  }

  /// The process that took backups may have died: whoever was at it holds nothing any more.
  void restart() {
    disk = disk.processCrash();
    begin();
  }

  /// Takes one.
  ///
  /// @param engine the store itself
  /// @return its point, or null if another thread is at it
  @Nullable BackupPoint take(Store engine, boolean full) {
    SimulatedDisk target = disk;
    try {
      BackupPoint point =
          SimulatedStore.backup(
              engine,
              target,
              BackupOptions.defaults().full(full).listener((_, _) -> threads.giveTurn()));
      trace.note("backed up", point.number(), point.lastCommit().lsn());
      points.put(point.number(), new Taken(point, engine.options().encryption()));
      return point;
    } catch (StoreLockedException _) {
      return null;
    }
  }

  /// Restores one of the points, or the newest state there is, and requires that it is what the
  /// store was.
  void requireRestorable(Timeline timeline, StoreOptions options) {
    if (points.isEmpty()) {
      return;
    }
    if (random.nextInt(4) == 0) {
      SimulatedStore.prune(disk, KEPT_MIN);
      trace.note("pruned", points.size());
      while (points.size() > KEPT_MIN) {
        points.pollFirstEntry();
      }
    }
    boolean newest = random.nextBoolean();
    Taken taken = newest ? points.lastEntry().getValue() : any();
    RestoreTo state = newest ? RestoreTo.newest() : RestoreTo.point(taken.point.number());
    SimulatedDisk target = new SimulatedDisk(random.nextLong());
    KeySource key = taken.key;
    Restored restored =
        key == null
            ? SimulatedStore.restore(disk, target, state)
            : SimulatedStore.restore(disk, target, state, key);
    trace.note("restored", restored.lastCommit().lsn());
    if (restored.lastCommit().lsn() < taken.point.lastCommit().lsn()) {
      throw new AssertionError("restored to before the point: lsn=" + restored.lastCommit().lsn());
    }
    StoreOptions opening = key == null ? options : options.encryption(key);
    try (Store store = SimulatedStore.open(target, threads, opening)) {
      timeline.requireAt(restored.lastCommit().lsn(), Items.withoutItems(Model.of(store)));
      store.verify().requireSound();
    }
  }

  private Taken any() {
    int skipped = random.nextInt(points.size());
    return points.values().stream().skip(skipped).findFirst().orElseThrow();
  }

  /// Forgets the points: what they hold is not known, since the disk of the store has lied.
  void forget() {
    points.clear();
  }
}
