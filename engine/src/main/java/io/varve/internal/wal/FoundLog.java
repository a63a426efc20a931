package io.varve.internal.wal;

import io.varve.CorruptStoreException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The segment files that a recovery found.
///
/// @param segments of the store, in order of generation and LSN; those of a generation hold as much
///   each, so one that begins later ends later
/// @param unfinished files whose header does not check: never finished, or torn while reused
/// @param nextSequence the first number that no file has
record FoundLog(List<FoundSegment> segments, List<Segments.Old> unfinished, long nextSequence) {

  /// Looks through the directory of a log.
  ///
  /// @param isEncrypted whether the store is
  /// @param amongOthers whether the logs of other stores may be there, and are passed over
  /// @throws CorruptStoreException if a segment is not one of this store's
  static FoundLog in(Disk disk, StoreId id, boolean isEncrypted, boolean amongOthers)
      throws IOException {
    var segments = new ArrayList<FoundSegment>();
    var unfinished = new ArrayList<Segments.Old>();
    long sequenceMax = 0;
    for (String last : disk.list(LogFiles.DIRECTORY)) {
      if (!last.endsWith(LogFiles.SUFFIX)) {
        continue;
      }
      String name = LogFiles.DIRECTORY + "/" + last;
      sequenceMax = Math.max(sequenceMax, LogFiles.sequence(last));
      try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
        byte[] block = new byte[SegmentHeader.BYTES];
        file.read(0, ByteBuffer.wrap(block));
        SegmentHeader header = SegmentHeader.decode(block, disk.describe(name));
        if (header == null) {
          unfinished.add(new Segments.Old(name, 0, false));
        } else if (header.id().equals(id)) {
          requireAlike(header, isEncrypted, disk.describe(name));
          segments.add(new FoundSegment(name, file.size(), header));
          sequenceMax = Math.max(sequenceMax, header.sequence());
        } else if (!amongOthers) {
          throw new CorruptStoreException(
              "log segment belongs to another store: file="
                  + disk.describe(name)
                  + "; move it away, or put the files of one store together");
        }
      }
    }
    segments.sort(
        Comparator.comparingInt((FoundSegment segment) -> segment.header().generation())
            .thenComparingLong(segment -> segment.header().firstLsn()));
    return new FoundLog(segments, unfinished, sequenceMax + 1);
  }

  private static void requireAlike(SegmentHeader header, boolean isEncrypted, String where) {
    if ((header.session() != null) != isEncrypted) {
      throw new CorruptStoreException(
          "store and log segment are not both encrypted: file="
              + where
              + "; put the files of one store together, or restore it from a backup");
    }
  }

  /// The segment of a generation that holds an LSN.
  @Nullable FoundSegment at(int generation, long lsn) {
    FoundSegment found = null;
    for (int i = countTo(generation, lsn) - 1; i >= 0; i--) {
      FoundSegment segment = segments.get(i);
      if (segment.header().generation() != generation || !segment.holds(lsn)) {
        break;
      }
      found = segment;
    }
    return found;
  }

  /// The first header of the next generation.
  @Nullable SegmentHeader after(int generation) {
    int count = countTo(generation, Long.MAX_VALUE);
    return count == segments.size() ? null : segments.get(count).header();
  }

  /// How many segments are of an earlier generation, or of this one and begin at `lsn` or before.
  private int countTo(int generation, long lsn) {
    int low = 0;
    int high = segments.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      SegmentHeader header = segments.get(middle).header();
      boolean isBefore =
          header.generation() < generation
              || (header.generation() == generation && header.firstLsn() <= lsn);
      if (isBefore) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Up to where a segment holds log, of which all ends at `end`.
  long believedTo(FoundSegment segment, long end) {
    SegmentHeader next = after(segment.header().generation());
    return Math.min(segment.filledLsn(), next == null ? end : next.previousEndLsn());
  }

  /// The newest segment.
  @Nullable FoundSegment last() {
    return segments.isEmpty() ? null : segments.getLast();
  }
}
