package io.varve.test.simulation;

import io.varve.Range;
import io.varve.test.Change;
import io.varve.test.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The content of a store at every point of its commit order, from the first commit on.
final class Timeline {
  /// The LSN of the empty store, below that of every commit.
  static final long START = 0;

  /// One value of a key, from the commit at `lsn` to the next change of the key.
  private record Version(long lsn, byte @Nullable [] value) {}

  /// One commit.
  ///
  /// @param millis when it got its position in the order
  /// @param changes puts and deletes of single keys
  /// @param digest of the content after it
  private record Commit(long lsn, long millis, List<Change> changes, long digest) {}

  /// A record of the time in the log.
  ///
  /// @param millis no earlier than the time in the record
  private record Timestamp(long lsn, long millis) {}

  private final Map<String, NavigableMap<byte[], List<Version>>> spaces = new TreeMap<>();
  private final List<Commit> commits = new ArrayList<>();
  private final List<Timestamp> timestamps = new ArrayList<>();
  private final Map<String, Long> drops = new TreeMap<>();
  private Model now = new Model();

  Timeline() {
    commits.add(new Commit(START, Long.MIN_VALUE, List.of(), now.digest()));
  }

  /// The LSN of the newest commit that changed anything.
  long last() {
    return commits.getLast().lsn;
  }

  /// The content after the newest commit.
  Model now() {
    return now;
  }

  /// Adds a record of the time, which changes nothing.
  ///
  /// @param millis no earlier than the time in the record
  void timestamp(long lsn, long millis) {
    timestamps.add(new Timestamp(lsn, millis));
  }

  /// The LSN of the newest known record of the time that has `millis` or earlier.
  ///
  /// @param lsnMax of those that count
  long timestampBefore(long millis, long lsnMax) {
    return timestamps.stream()
        .filter(each -> each.millis <= millis && each.lsn <= lsnMax)
        .mapToLong(Timestamp::lsn)
        .max()
        .orElse(START);
  }

  /// The newest commit that got its position at `millis` or earlier.
  long commitBefore(long millis) {
    return commits.reversed().stream()
        .filter(each -> each.millis <= millis)
        .mapToLong(Commit::lsn)
        .findFirst()
        .orElse(START);
  }

  /// When the newest known record of the time up to `lsn` was made; the least number if there is
  /// none.
  long millisOfTimestamp(long lsn) {
    return timestamps.reversed().stream()
        .filter(each -> each.lsn <= lsn)
        .mapToLong(Timestamp::millis)
        .findFirst()
        .orElse(Long.MIN_VALUE);
  }

  /// The commit at `lsn`, or the last one before.
  long commitAt(long lsn) {
    return pointsWithin(START, lsn).getLast();
  }

  /// When the commit at `lsn`, or the last one before, got its position.
  long millisOf(long lsn) {
    return commits.reversed().stream()
        .filter(each -> each.lsn <= lsn)
        .mapToLong(Commit::millis)
        .findFirst()
        .orElse(Long.MIN_VALUE);
  }

  /// Adds a commit after all others.
  ///
  /// @param millis when it got its position in the order
  void commit(long lsn, long millis, List<Change> changes) {
    if (lsn <= last()) {
      throw new AssertionError(
          "LSN does not follow the one before: lsn=" + lsn + ", last=" + last());
    }
    List<Change> single = new ArrayList<>();
    for (Change change : changes) {
      if (change instanceof Change.DropSpace(var space)) {
        drops.put(space, lsn);
      }
      for (Change each : singles(change)) { // of what the changes before left
        now.apply(each);
        single.add(each);
        List<Version> versions = versions(each);
        versions.removeIf(version -> version.lsn == lsn); // no reader sees half a commit
        versions.add(new Version(lsn, valueOf(each)));
      }
    }
    commits.add(new Commit(lsn, millis, single, now.digest()));
  }

  /// What a change does to single keys that are there.
  private List<Change> singles(Change change) {
    return switch (change) {
      case Change.Put put -> List.of(put);
      case Change.Delete delete -> List.of(delete);
      case Change.DeleteRange(var space, var range) -> deletes(space, range);
      case Change.DropSpace(var space) -> deletes(space, Range.all());
    };
  }

  private List<Change> deletes(String space, Range range) {
    return now.entries(space, range).keySet().stream()
        .map(key -> (Change) new Change.Delete(space, key))
        .toList();
  }

  private static byte @Nullable [] valueOf(Change change) {
    return change instanceof Change.Put(_, _, var value) ? value : null;
  }

  private static byte[] keyOf(Change change) {
    return switch (change) {
      case Change.Put(_, var key, _) -> key;
      case Change.Delete(_, var key) -> key;
      case Change.DeleteRange _, Change.DropSpace _ ->
          throw new IllegalStateException("not of a single key: " + change);
    };
  }

  private List<Version> versions(Change change) {
    return spaces
        .computeIfAbsent(change.space(), _ -> new TreeMap<>(Arrays::compareUnsigned))
        .computeIfAbsent(keyOf(change), _ -> new ArrayList<>());
  }

  private List<Version> versions(String space, byte[] key) {
    var keys = spaces.get(space);
    return keys == null ? List.of() : keys.getOrDefault(key, List.of());
  }

  /// The value of a key after the commit at `lsn`, or the last one before.
  byte @Nullable [] at(long lsn, String space, byte[] key) {
    byte[] value = null;
    for (Version version : versions(space, key)) {
      if (version.lsn > lsn) {
        break;
      }
      value = version.value;
    }
    return value;
  }

  /// The entries of a range at that point.
  NavigableMap<byte[], byte[]> entriesAt(long lsn, String space, Range range) {
    NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    var keys = spaces.get(space);
    if (keys == null || range.isEmpty()) {
      return entries;
    }
    byte[] to = range.to();
    var within = keys.tailMap(range.from(), true);
    for (byte[] key : (to == null ? within : within.headMap(to, false)).keySet()) {
      byte[] value = at(lsn, space, key);
      if (value != null) {
        entries.put(key, value);
      }
    }
    return entries;
  }

  /// Whether a key had that value at some point from `fromLsn` to `toLsn`.
  boolean wasWithin(long fromLsn, long toLsn, String space, byte[] key, byte @Nullable [] value) {
    if (Arrays.equals(at(fromLsn, space, key), value)) {
      return true;
    }
    return versions(space, key).stream()
        .anyMatch(version ->
            version.lsn > fromLsn && version.lsn <= toLsn && Arrays.equals(version.value, value));
  }

  /// Whether the space of that name was dropped after `fromLsn`, so that one of the same name now
  /// is another.
  boolean droppedSince(long fromLsn, String space) {
    return drops.getOrDefault(space, START) > fromLsn;
  }

  /// The points from `fromLsn` to `toLsn` at which the content was new.
  List<Long> pointsWithin(long fromLsn, long toLsn) {
    List<Long> points = new ArrayList<>(List.of(fromLsn));
    for (Commit commit : commits) {
      if (commit.lsn > fromLsn && commit.lsn <= toLsn) {
        points.add(commit.lsn);
      }
    }
    return points;
  }

  /// Whether a commit after `fromLsn`, up to `toLsn`, changed a key of `space` that `keys` takes.
  boolean changedWithin(long fromLsn, long toLsn, String space, Predicate<byte[]> keys) {
    return commits.stream()
        .filter(commit -> commit.lsn > fromLsn && commit.lsn <= toLsn)
        .flatMap(commit -> commit.changes.stream())
        .anyMatch(change -> change.space().equals(space) && keys.test(keyOf(change)));
  }

  /// The point that a store has recovered to, which must be the last commit that it names. A commit
  /// of its own, which moves a value, has an LSN and is no point: then it is the point before.
  ///
  /// @param leastLsn commits up to this must be there
  /// @param namedLsn the last commit that the store names
  /// @throws AssertionError if the content is another
  long find(Model recovered, long leastLsn, long namedLsn) {
    long lsn = commitAt(namedLsn);
    for (Commit commit : commits.reversed()) {
      if (commit.lsn <= lsn && commit.digest == recovered.digest()) {
        requireRecovered(commit.lsn, lsn, commitAt(leastLsn));
        return commit.lsn;
      }
    }
    throw new AssertionError(
        "recovered content is that of no prefix of the commits (D1, D2): commits=%d; compared with the"
                .formatted(commits.size())
            + " newest: "
            + String.join("; ", now.differences(recovered)));
  }

  private static void requireRecovered(long foundLsn, long namedLsn, long promisedLsn) {
    if (foundLsn < promisedLsn) {
      throw new AssertionError(
          "commits that were promised to survive are lost (D3): foundLsn=%d, promisedLsn=%d"
              .formatted(foundLsn, promisedLsn));
    }
    if (foundLsn != namedLsn) {
      throw new AssertionError(
          "store names a last commit that it does not hold (D2): foundLsn=%d, namedLsn=%d"
              .formatted(foundLsn, namedLsn));
    }
  }

  /// Requires that this is the content at that point, which may be a commit of the store itself.
  void requireAt(long lsn, Model found) {
    long point = commitAt(lsn);
    for (Commit commit : commits) {
      if (commit.lsn == point && commit.digest != found.digest()) {
        throw new AssertionError(
            "content is not that of its commit: lsn=%d, last=%d".formatted(lsn, last()));
      }
    }
  }

  /// Forgets all commits after `lsn`: a crash took them.
  void rollBackTo(long lsn) {
    commits.removeIf(commit -> commit.lsn > lsn);
    timestamps.removeIf(each -> each.lsn > lsn);
    now = new Model();
    spaces.forEach((space, keys) ->
        keys.forEach((key, versions) -> {
          versions.removeIf(version -> version.lsn > lsn);
          byte[] value = at(lsn, space, key);
          if (value != null) {
            now.put(space, key, value);
          }
        }));
  }
}
