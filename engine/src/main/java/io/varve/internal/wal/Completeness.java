package io.varve.internal.wal;

import io.varve.CorruptStoreException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.segment.LogReach;
import io.varve.internal.wal.segment.Segments;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Distinguishes a log that ends from one whose files are missing or were cut.
///
/// - (C1) A segment is added only when the one before it has the length that its header states, and
///   is durable with its name. So within a generation, a segment proves all those before it.
/// - (C2) Log is written only where it was made ready, and that is remembered first ([LogReach]).
///   So the last generation's segments reach at least to there.
/// - (C3) Segments are released from the low end, below every checkpoint that may be opened; or all
///   of them, in any order, after a checkpoint that needs none and after [LogReach#DISCARDED].
final class Completeness {
  private final Disk disk;

  private final FoundLog found;
  private final LogPosition checkpoint;
  private final @Nullable LogReach reach;

  Completeness(Disk disk, FoundLog found, LogPosition checkpoint, @Nullable LogReach reach) {
    this.disk = disk;
    this.found = found;
    this.checkpoint = checkpoint;
    this.reach = reach;
  }

  /// Checks the last generation.
  ///
  /// @throws CorruptStoreException if a segment is missing or too short
  void check() {
    if (reach != null && reach.isDiscarded()) {
      return; // (C3)
    }
    FoundSegment last = found.last();
    int lastGeneration = last == null ? 0 : last.header().generation();
    int generation = reach == null ? lastGeneration : Math.max(lastGeneration, reach.generation());
    boolean isAfter = generation > checkpoint.generation();
    if (!isAfter && (generation < checkpoint.generation() || checkpoint.mayEnd())) {
      return; // the checkpoint needs none of it
    }
    if (last == null || lastGeneration < generation) {
      throw missing(generation, isAfter ? -1 : checkpoint.lsn());
    }
    long lsn = isAfter ? last.header().generationFirstLsn() : checkpoint.lsn();
    long lastFirstLsn = last.header().firstLsn();
    long preparedLsn = lastFirstLsn;
    if (reach != null && reach.generation() == generation) {
      preparedLsn = reach.preparedLsn();
    } else if (isAfter && found.at(generation, lsn) == null) {
      return; // nothing was remembered: a discard that was cut short may have left the rest
    }
    while (lsn < preparedLsn || lsn < lastFirstLsn) {
      FoundSegment segment = found.at(generation, lsn);
      if (segment == null) {
        throw missing(generation, lsn);
      }
      long endLsn = segment.header().endLsn();
      requireFilled(segment, endLsn <= lastFirstLsn ? endLsn : Math.min(endLsn, preparedLsn));
      lsn = endLsn;
    }
  }

  private void requireFilled(FoundSegment segment, long lsn) {
    if (segment.filledLsn() < lsn) {
      throw new CorruptStoreException(
          "log segment cut short: file="
              + disk.describe(segment.name())
              + ", bytes="
              + segment.fileBytes()
              + ", expectedBytes="
              + segment.header().offset(lsn)
              + ", generation="
              + segment.header().generation()
              + "; log that was durable is missing: restore from a backup, or salvage");
    }
  }

  /// Where no segment is left to count from, each file whose header does not check may be the one.
  ///
  /// @param lsn the first that is missing, or -1 if nobody knows
  CorruptStoreException missing(int generation, long lsn) {
    String name = nameOf(generation, lsn);
    List<String> present =
        found.unfinished().stream()
            .map(Segments.Old::name)
            .filter(each -> name == null || each.equals(name))
            .toList();
    return new CorruptStoreException(
        (present.isEmpty() ? "log segment missing: " : "log segment header damaged: ")
            + (present.isEmpty() ? placeOf(name) : describe(present))
            + (lsn < 0 ? "" : ", lsn=" + lsn)
            + ", generation="
            + generation
            + "; put the file back, or restore from a backup, or salvage");
  }

  private String placeOf(@Nullable String name) {
    return name == null
        ? "directory=" + disk.describe(LogFiles.DIRECTORY)
        : "file=" + disk.describe(name);
  }

  /// Files and their lengths: one that was emptied is seen by that.
  private String describe(List<String> names) {
    return names.stream()
        .map(name -> "file=" + disk.describe(name) + ", bytes=" + lengthOf(name))
        .collect(Collectors.joining(", "));
  }

  private String lengthOf(String name) {
    try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
      return Long.toString(file.size());
    } catch (IOException _) {
      return "unknown"; // the damage is what counts
    }
  }

  /// The file that held an LSN: the segments of a generation are numbered in a row. Null if no
  /// other segment of it is left to count from.
  private @Nullable String nameOf(int generation, long lsn) {
    for (FoundSegment segment : found.segments()) {
      SegmentHeader header = segment.header();
      if (header.generation() == generation && lsn >= header.generationFirstLsn()) {
        long distance = Math.floorDiv(lsn - header.firstLsn(), header.dataBytes());
        return LogFiles.segment(header.sequence() + distance);
      }
    }
    return null;
  }
}
