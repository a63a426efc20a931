package io.varve.query.internal.access;

import io.varve.Range;
import io.varve.Space;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Opens the keys that paths find, in one view. For one thread.
final class PathRuns {
  /// More ranges of one index are not merged by cursors but sorted.
  private static final int CURSORS_MAX = 32;

  private static final byte[] NONE = {};

  private final Reading<?, ?> reading;

  PathRuns(Reading<?, ?> reading) {
    this.reading = reading;
  }

  /// The rows of ranges of the table, with their values.
  KeyRun keys(List<Range> ranges, boolean isBackward) {
    return new KeyRun(new RangeCursor(reading, reading.table(), ranges, isBackward));
  }

  /// The keys of entries in the order of the index.
  EntryRun entries(IndexForm index, List<Range> ranges, boolean isBackward) {
    return entries(index, ranges, isBackward, NONE);
  }

  private EntryRun entries(
      IndexForm index, List<Range> ranges, boolean isBackward, byte[] fixedPrefix) {
    var cursor = new RangeCursor(reading, reading.entries().apply(index), ranges, isBackward);
    return new EntryRun(index, cursor, fixedPrefix, reading.meter());
  }

  /// The keys that a path finds in their order, each once.
  SortedRun sorted(AccessPath path) {
    return switch (path) {
      case AccessPath.Nothing _ -> keys(List.of(), false);
      case AccessPath.Keys keys -> keys(keys.ranges(), false);
      case AccessPath.Entries found -> sorted(found);
      case AccessPath.Intersection both -> new CommonRun(all(both.paths()));
      case AccessPath.Union either -> new DistinctRun(new MergedRuns(all(either.paths())));
    };
  }

  private List<SortedRun> all(List<AccessPath> paths) {
    List<SortedRun> runs = new ArrayList<>();
    try {
      for (AccessPath path : paths) {
        runs.add(sorted(path));
      }
      return runs;
    } catch (RuntimeException | Error e) {
      new MergedRuns(runs).close();
      throw e;
    }
  }

  private SortedRun sorted(AccessPath.Entries found) {
    List<Range> ranges = found.ranges();
    if (found.arePoints()) {
      reading.meter().entriesRead += ranges.size();
      Space entries = reading.entries().apply(found.index());
      return new PointsRun(
          ranges.size() == 1
              ? Collections.singletonList(reading.view().get(entries, ranges.getFirst().from()))
              : reading.view().getAll(entries, ranges.stream().map(Range::from).toList()));
    }
    if (found.isKeySorted() && ranges.size() <= CURSORS_MAX) {
      List<SortedRun> runs = new ArrayList<>();
      for (Range range : ranges) {
        runs.add(entries(found.index(), List.of(range), false, range.from()));
      }
      return runs.size() == 1 ? runs.getFirst() : new DistinctRun(new MergedRuns(runs));
    }
    var sorter = new RowKeySorter(reading.settings(), reading.meter());
    try (EntryRun run = entries(found.index(), ranges, false)) {
      while (run.next()) {
        sorter.add(run.key());
      }
      return new DistinctRun(sorter.sorted());
    } catch (RuntimeException | Error e) {
      sorter.close();
      throw e;
    }
  }
}
