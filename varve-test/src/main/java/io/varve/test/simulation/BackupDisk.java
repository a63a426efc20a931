package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreIoException;
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
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The backups of a store, on a disk of their own that never fails. What one is restored to is the
/// content at the commit that it names.
///
/// - (R1) A restore to a commit gives what the store was after that commit, exactly. It is refused
///   where the commit is no point's and no log leads to it, or the archived log ends before it.
/// - (R2) A restore to a time has no commit that was made later. It has all that the newest point
///   before that time does, and all before each record of the time that is no later.
final class BackupDisk {
  /// Points of a store that are kept at least, when old ones are deleted.
  private static final int KEPT_MIN = 2;

  /// Kinds of states that a restore is asked for: those that are points; with a commit and a time;
  /// and with more of these, since an archived log leads to more of them.
  private static final int POINTS = 2;

  private static final int STATES = 4;
  private static final int ARCHIVED_STATES = 8;

  private final SimulatedThreads threads;
  private final SplittableRandom random;
  private final Trace trace;
  private final Planted planted;
  private SimulatedDisk disk;

  /// The points by number, each with what the store's key was then.
  private final NavigableMap<Long, Taken> points = new TreeMap<>();

  /// What the store's key was when a point was last begun, which may have been cut short.
  private @Nullable KeySource lastKey;

  /// The newest point of which nothing is known, since a disk had lied; 0 if there is none.
  private long forgotten;

  private record Taken(BackupPoint point, @Nullable KeySource key) {
    long lsn() {
      return point.lastCommit().lsn();
    }

    long millis() {
      return point.time().toEpochMilli();
    }
  }

  BackupDisk(SimulatedThreads threads, SplittableRandom random, Trace trace, Planted planted) {
    this.threads = threads;
    this.random = random;
    this.trace = trace;
    this.planted = planted;
    this.disk = new SimulatedDisk(random.nextLong());
    begin();
  }

  private void begin() {
    disk.faults(_ -> {
      threads.giveTurn();
      return Fault.NONE;
    });
  }

  /// The process that took backups may have died: its threads hold nothing any more.
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
    look();
    lastKey = engine.options().encryption();
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

  /// Looks which points there are: a thread that took one may have ended just after.
  private void look() {
    List<BackupPoint> found = SimulatedStore.points(disk);
    for (BackupPoint point : found) {
      if (point.number() > forgotten) {
        points.putIfAbsent(point.number(), new Taken(point, lastKey));
      }
    }
    Set<Long> numbers = found.stream().map(BackupPoint::number).collect(Collectors.toSet());
    points.keySet().retainAll(numbers);
  }

  /// Restores one of the states that the backups keep, and requires that it is what the store was.
  ///
  /// @param timeline of the store, up to the end of its life or further
  /// @param options that the store is opened with
  void requireRestorable(Timeline timeline, StoreOptions options) {
    look();
    if (points.isEmpty()) {
      return;
    }
    if (random.nextInt(4) == 0) {
      SimulatedStore.prune(disk, KEPT_MIN);
      look();
      trace.note("pruned", points.size());
    }
    // Of points that are forgotten, neither LSNs nor times are comparable with those of others.
    int states = options.archiveLog() ? ARCHIVED_STATES : STATES;
    switch (random.nextInt(forgotten > 0 ? POINTS : states)) {
      case 0 -> requireNewest(timeline, options);
      case 1 -> requirePoint(timeline, options);
      case 2, 4, 5 -> requireCommit(timeline, options);
      default -> requireTime(timeline, options);
    }
  }

  private void requireNewest(Timeline timeline, StoreOptions options) {
    Taken newest = points.lastEntry().getValue();
    requireSame(newest.lsn(), restore(timeline, options, newest, RestoreTo.newest()));
  }

  private void requirePoint(Timeline timeline, StoreOptions options) {
    int skipped = random.nextInt(points.size());
    Taken point = points.values().stream().skip(skipped).findFirst().orElseThrow();
    requireSame(
        point.lsn(), restore(timeline, options, point, RestoreTo.point(point.point.number())));
  }

  private static void requireSame(long expectedLsn, long foundLsn) {
    if (foundLsn != expectedLsn) {
      throw new AssertionError(
          "restored to another commit than the point's: foundLsn=%d, expectedLsn=%d"
              .formatted(foundLsn, expectedLsn));
    }
  }

  /// (R1)
  private void requireCommit(Timeline timeline, StoreOptions options) {
    long lastLsn = points.lastEntry().getValue().lsn();
    long endLsn = random.nextInt(8) == 0 ? Long.MAX_VALUE : lastLsn;
    List<Long> choice = timeline.pointsWithin(points.firstEntry().getValue().lsn(), endLsn);
    long wanted = choice.get(random.nextInt(choice.size()));
    Taken point = newest(each -> each.lsn() <= wanted);
    if (point == null) {
      throw new IllegalStateException("no point before its own commit: lsn=" + wanted);
    }
    boolean isHeld = wanted == point.lsn() || (options.archiveLog() && wanted <= lastLsn);
    long found;
    try {
      found = restore(timeline, options, point, RestoreTo.commit(new Commit(wanted)));
    } catch (StoreIoException e) {
      if (isHeld) {
        throw new AssertionError("restore to a commit failed: it is refused: lsn=" + wanted, e);
      }
      trace.note("no restore to a commit", wanted);
      return;
    }
    trace.note("restored to a commit", wanted, found);
    if (found > wanted || timeline.commitAt(found) != timeline.commitAt(wanted)) {
      throw new AssertionError(
          "restore to a commit failed: it gave another: foundLsn=%d, expectedLsn=%d"
              .formatted(found, wanted));
    }
  }

  /// (R2)
  private void requireTime(Timeline timeline, StoreOptions options) {
    long millis = chooseTime(timeline);
    RestoreTo state = RestoreTo.time(Instant.ofEpochMilli(millis));
    Taken point = newest(each -> each.millis() <= millis);
    if (point == null) {
      requireRefused(state);
      return;
    }
    long found;
    try {
      found = restore(timeline, options, point, state);
    } catch (StoreIoException e) {
      throw new AssertionError("restore to a time failed: it is refused: millis=" + millis, e);
    }
    trace.note("restored to a time", millis, found);
    long least = point.lsn();
    long most = point.lsn();
    if (options.archiveLog()) {
      long lastLsn = points.lastEntry().getValue().lsn();
      least = Math.max(least, timeline.timestampBefore(millis, lastLsn));
      most = timeline.commitBefore(millis);
    }
    if (found < least || timeline.commitAt(found) > most) {
      throw new AssertionError(
          "restore to a time failed: it gave another: millis=%d, lsn=%d, leastLsn=%d, mostLsn=%d"
              .formatted(millis, found, least, most));
    }
  }

  private void requireRefused(RestoreTo state) {
    try {
      SimulatedStore.restore(disk, new SimulatedDisk(0), planted.state(state), lastKey, threads);
    } catch (StoreIoException _) {
      return; // every point is younger
    }
    throw new AssertionError("restore to a time failed: it is before every point: " + state);
  }

  /// Any time since the first point; or one at which something was, or the ones next to it.
  private long chooseTime(Timeline timeline) {
    Taken first = points.firstEntry().getValue();
    long lastLsn = points.lastEntry().getValue().lsn();
    if (random.nextInt(3) == 0) {
      return random.nextLong(first.millis(), threads.turnMillis() + 1);
    }
    List<Long> choice = timeline.pointsWithin(first.lsn(), lastLsn);
    long millis =
        switch (random.nextInt(3)) {
          case 0 -> timeline.millisOf(choice.get(random.nextInt(choice.size())));
          case 1 -> timeline.millisOfTimestamp(random.nextLong(first.lsn(), lastLsn + 1));
          default ->
              points.values().stream()
                  .skip(random.nextInt(points.size()))
                  .findFirst()
                  .orElseThrow()
                  .millis();
        };
    return Math.max(millis, first.millis()) + random.nextInt(-1, 2);
  }

  private @Nullable Taken newest(Predicate<Taken> wanted) {
    return points.descendingMap().values().stream().filter(wanted).findFirst().orElse(null);
  }

  /// Restores a state, and requires that it is that of the commit which the restore names.
  ///
  /// @param point that the restore starts from
  /// @return the LSN of that commit
  private long restore(Timeline timeline, StoreOptions options, Taken point, RestoreTo state) {
    SimulatedDisk target = new SimulatedDisk(random.nextLong());
    KeySource key = point.key;
    Restored restored = SimulatedStore.restore(disk, target, planted.state(state), key, threads);
    long lsn = restored.lastCommit().lsn();
    trace.note("restored", lsn);
    StoreOptions opening = key == null ? options : options.encryption(key);
    try (Store store = SimulatedStore.open(target, threads, opening)) {
      timeline.requireAt(lsn, ItemContent.withoutItems(Model.of(store)));
      store.verify().requireSound();
    }
    return lsn;
  }

  /// Forgets the points: what they hold is not known, since the disk of the store has lied.
  void forget() {
    look();
    if (!points.isEmpty()) {
      forgotten = points.lastKey();
    }
    points.clear();
  }
}
