package io.varve.internal.wal;

import io.varve.CorruptStoreException;
import io.varve.LogIo;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Session;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.FrameReader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogGeneration;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.RingReader;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogArchive;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.MappedSegments;
import io.varve.internal.wal.segment.Ring;
import io.varve.internal.wal.segment.Segments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the log after a checkpoint, replays it, and starts its next generation.
///
/// The log is a chain of *generations*, one per open; each states where the one before ended. A
/// frame is looked for in its segment first and then in the ring. After the death of the process
/// the ring holds what was not written yet. Where the last generation has no valid frame in either,
/// the log ends, unless a mark further on records that more was durable. Then data that was
/// acknowledged is damaged.
///
/// - (V1) A file is forced before it is believed: after the death of the process, what it wrote is
///   shown, and may not be on the disk yet.
/// - (V2) The end found is stable before the next generation states it. All that was believed and
///   that no mark records as durable is written again at its offsets and forced. So are the frames
///   found in the ring alone. A force alone proves nothing where one failed before: the system's
///   cache shows what the disk lacks, and counts it as written. A mark records forces that returned
///   without a failure, so what it vouches for need not be written again. So a crash at any point
///   of a recovery leads the next to the same end.
/// - (V3) Nothing on disk changes before the whole log was read and found undamaged.
public final class LogRecovery {
  /// The part of the ring's length from which on a log is settled by a thread of its own: marks
  /// vouch for all but about a ring's length of a long log.
  private static final int SETTLED_PART = 8;

  private final Disk disk;
  private final LogSettings options;
  private final StoreId id;
  private final LogPosition checkpoint;

  /// Whether the files are those of backups, which stay as they are: nothing is written.
  private final boolean forReading;

  private final FoundLog found;
  private final RecoveryFiles files;
  private final int generationMax;

  /// Frames that only the ring holds, to be written to their segments.
  private final List<GenerationReplay.RingOnly> ringOnly = new ArrayList<>();

  private @Nullable LogSettling settling;

  private CommitHandover handover = new CommitHandover((_, _, _) -> {}, Long.MAX_VALUE);
  private long endLsn = -1;
  private long stoppedLsn; // where no valid frame was found
  private long vouchedLsn; // up to where marks record that it was durable
  private int endGeneration;

  private LogRecovery(
      Disk disk,
      LogSettings options,
      StoreId id,
      LogPosition checkpoint,
      boolean forReading,
      FoundLog found) {
    this.disk = disk;
    this.options = options;
    this.id = id;
    this.checkpoint = checkpoint;
    this.forReading = forReading;
    this.found = found;
    this.files = new RecoveryFiles(disk, forReading);
    FoundSegment last = found.last();
    this.generationMax =
        last == null
            ? checkpoint.generation()
            : Math.max(checkpoint.generation(), last.header().generation());
  }

  /// Starts the log of a new store; the same as recovering from [LogPosition#ORIGIN].
  public static Log createLog(Disk disk, Clock clock, LogSettings options, StoreId id) {
    LogRecovery recovery = find(disk, options, id, LogPosition.ORIGIN);
    recovery.replay((_, _, _) -> {});
    return recovery.start(clock, LogPosition.ORIGIN);
  }

  /// First step of an open: finds the log after a checkpoint. Then [#replay] or [#replayAhead],
  /// then [#start].
  public static LogRecovery find(
      Disk disk, LogSettings options, StoreId id, LogPosition checkpoint) {
    return find(disk, options, id, checkpoint, /* forReading= */ false);
  }

  /// Finds the log of a store in a directory of backups, from a position on, to be read alone: that
  /// of other stores may be there as well.
  ///
  /// @param dataKey of the store, or null if it is not encrypted
  public static LogRecovery findForReading(
      Disk disk, StoreId id, LogPosition from, @Nullable DataKey dataKey) {
    LogSettings options = LogSettings.defaults().dataKey(dataKey);
    return find(disk, options, id, from, /* forReading= */ true);
  }

  private static LogRecovery find(
      Disk disk, LogSettings options, StoreId id, LogPosition checkpoint, boolean forReading) {
    try {
      FoundLog found = FoundLog.in(disk, id, options.dataKey() != null, forReading);
      return new LogRecovery(disk, options, id, checkpoint, forReading, found);
    } catch (IOException e) {
      throw unreadable(disk, e);
    }
  }

  private static StoreIoException unreadable(Disk disk, IOException e) {
    return new StoreIoException(
        "log cannot be read: directory="
            + disk.describe(LogFiles.DIRECTORY)
            + "; nothing was changed; "
            + e.getMessage(),
        e);
  }

  /// Hands over every commit after the checkpoint, in order. Call it once.
  ///
  /// @return the LSN where the log ends
  /// @throws CorruptStoreException if log is missing or damaged that was acknowledged as durable
  public long replay(CommitConsumer consumer) {
    return replay(consumer, Long.MAX_VALUE);
  }

  /// Hands over every commit after the checkpoint that does not end after `limitLsn`. What is after
  /// that may be missing or damaged.
  ///
  /// @return the LSN where the last of them ends
  public long replay(CommitConsumer consumer, long limitLsn) {
    long end = read(consumer, limitLsn);
    beginSettling(Long.MAX_VALUE, () -> {});
    awaitSettled();
    return end;
  }

  /// Does the same as [#replay(CommitConsumer)], except that a thread of its own may still make the
  /// log durable (V2) when this returns. Call [#awaitSettled] before anything else is written. Call
  /// [#finishSettling] in any case.
  ///
  /// @param along what that thread does first
  public long replayAhead(CommitConsumer consumer, SettlingWork along) {
    long end = read(consumer, Long.MAX_VALUE);
    beginSettling(options.ringBytes() / SETTLED_PART, along);
    return end;
  }

  private long read(CommitConsumer consumer, long limitLsn) {
    if (endLsn >= 0) {
      throw new IllegalStateException("log was replayed before");
    }
    handover = new CommitHandover(consumer, limitLsn);
    boolean wasRead = false;
    try {
      files.openRing();
      long end = replayChain();
      if (!handover.isAtLimit()) {
        refuseUnfinishedIfVouched(end);
      }
      endLsn = end;
      wasRead = true;
      return end;
    } catch (IOException e) {
      throw failed(e);
    } finally {
      if (!wasRead || forReading) {
        closeFiles();
      }
    }
  }

  /// @param bytesMin the length of a log that a thread of its own settles
  private void beginSettling(long bytesMin, SettlingWork along) {
    if (forReading) {
      return;
    }
    try {
      long from = Math.max(checkpoint.lsn(), vouchedLsn);
      var begun = new LogSettling(found, files, from, ringOnly, endLsn);
      settling = begun;
      begun.begin(options.threads(), bytesMin, along);
    } catch (RuntimeException | Error e) { // a settling that has begun closes the files
      try {
        closeFiles();
      } catch (VarveException notClosed) {
        e.addSuppressed(notClosed);
      }
      throw e;
    }
  }

  /// Waits until the log that was read is durable.
  ///
  /// @throws StoreFullException if the disk had no capacity for it
  public void awaitSettled() {
    LogSettling begun = settling;
    if (begun != null) {
      try {
        begun.await();
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  /// Waits until nothing more is written to the log that was read, whether that failed or not.
  public void finishSettling() {
    LogSettling begun = settling;
    if (begun != null) {
      begun.finish();
    }
  }

  private VarveException failed(IOException e) {
    return e instanceof DiskFullException
        ? new StoreFullException(
            "log cannot be recovered without disk space: directory="
                + disk.describe(LogFiles.DIRECTORY)
                + "; free some and open again",
            e)
        : unreadable(disk, e);
  }

  /// The generation that [#start] begins: higher than any that left a trace.
  public int nextGeneration() {
    return generationMax + 1;
  }

  /// The position where the replay ended, as that from which another log continues.
  public LogPosition end() {
    if (endLsn < 0) {
      throw new IllegalStateException("replay the log first");
    }
    return new LogPosition(endLsn, endGeneration, true);
  }

  /// The generation of the commit that is being handed over. For the consumer.
  public int generation() {
    return handover.generation();
  }

  /// Ends the replay after the commit that is being handed over. For the consumer.
  public void stop() {
    handover.stop();
  }

  /// Whether the replay ended at its limit, rather than where the log ends.
  public boolean isAtLimit() {
    return handover.isAtLimit();
  }

  /// Follows the generations from the checkpoint on.
  private long replayChain() throws IOException {
    long lsn = checkpoint.lsn();
    stoppedLsn = lsn;
    int generation = checkpoint.generation();
    boolean present = found.at(generation, lsn) != null;
    if (!present && !checkpoint.mayEnd()) {
      throw completeness().missing(generation, lsn);
    }
    if (!forReading) {
      completeness().check();
    }
    while (true) {
      SegmentHeader after = found.after(generation);
      if (present) {
        lsn = replayGeneration(generation, lsn, after);
      } else if (after != null && after.previousEndLsn() != lsn) {
        throw LogDamage.hole(disk.describe(LogFiles.DIRECTORY), after, lsn);
      }
      endGeneration = generation;
      if (after == null || handover.isAtLimit()) {
        return lsn;
      }
      generation = after.generation();
      lsn = after.generationFirstLsn();
      present = true;
    }
  }

  private Completeness completeness() throws IOException {
    return new Completeness(disk, found, checkpoint, options.reachKeeper().known());
  }

  /// Reads one generation from `from` on.
  ///
  /// @param after of the next generation, which states where this one ended; null for the last
  /// @return where it ends
  private long replayGeneration(int generation, long from, @Nullable SegmentHeader after)
      throws IOException {
    int salt = FrameHeader.salt(id, generation);
    var replay = new GenerationReplay(found, files, options, handover, generation, salt);
    long end = replay.read(from, after == null ? -1 : after.previousEndLsn());
    files.leave();
    ringOnly.addAll(replay.ringOnly());
    vouchedLsn = Math.max(vouchedLsn, replay.vouchedLsn());
    if (handover.isAtLimit()) {
      return end;
    }
    if (after == null) {
      stoppedLsn = replay.stoppedLsn();
      refuseIfVouched(generation, salt, end, stoppedLsn);
    } else if (end != after.previousEndLsn()) {
      if (replay.stoppedLsn() == end && found.at(generation, end) == null) {
        throw completeness().missing(generation, end);
      }
      throw LogDamage.hole(disk.describe(LogFiles.DIRECTORY), after, end);
    }
    return end;
  }

  /// The log seems to end at `end`, since nothing valid is at `lsn`. Refuses it if a later mark
  /// records that more than `lsn` was durable. (Frames of a commit that is cut may be durable
  /// before it is complete, so it proves nothing that `end` was durable.)
  private void refuseIfVouched(int generation, int salt, long end, long lsn) throws IOException {
    for (FoundSegment segment : found.segments()) {
      if (segment.header().generation() != generation || segment.filledLsn() <= lsn) {
        continue;
      }
      long from = Math.max(lsn, segment.header().firstLsn());
      int termBytes = segment.header().termBytes();
      boolean vouched =
          new FrameReader(files.open(segment.name()), salt, termBytes)
              .hasVouchingMark(
                  lsn,
                  segment.header().offset(from),
                  segment.header().offset(segment.filledLsn()),
                  from);
      files.leave();
      RingReader inRing = files.ringReader(salt, termBytes);
      if (vouched || (inRing != null && inRing.hasVouchingMark(lsn))) {
        FoundSegment holder = found.at(generation, lsn);
        FoundSegment damaged = holder == null ? segment : holder;
        String file = disk.describe(damaged.name());
        throw LogDamage.of("log record damaged", file, damaged.header(), lsn, end);
      }
    }
  }

  /// A segment whose header is damaged is not part of the chain. Refuses it if it holds log that
  /// was durable, of the last generation found or of the next one.
  private void refuseUnfinishedIfVouched(long end) throws IOException {
    for (Segments.Old file : found.unfinished()) {
      for (int generation = endGeneration; generation <= generationMax + 1; generation++) {
        DiskFile open = files.open(file.name());
        int salt = FrameHeader.salt(id, generation);
        if (new FrameReader(open, salt, FrameHeader.TERM_BYTES_MAX) // its own is not known
            .hasVouchingMark(stoppedLsn, SegmentHeader.BYTES, open.size(), -1)) {
          throw new CorruptStoreException(
              "log segment header damaged: file="
                  + disk.describe(file.name())
                  + ", intactLsn="
                  + end
                  + ", generation="
                  + generation
                  + "; restore from a backup, or salvage");
        }
      }
    }
  }

  private void closeFiles() {
    try {
      files.close();
    } catch (IOException e) {
      throw unreadable(disk, e);
    }
  }

  /// The bytes of the files that [#start] keeps for the checkpoints that may still be opened.
  public long fileBytesNeeded(LogPosition oldest) {
    return found.segments().stream()
        .filter(segment -> isNeeded(segment, oldest))
        .mapToLong(FoundSegment::fileBytes)
        .sum();
  }

  private static boolean isNeeded(FoundSegment segment, LogPosition oldest) {
    return segment.header().generation() >= oldest.generation()
        && segment.header().endLsn() > oldest.lsn();
  }

  /// Starts the next generation, after what was replayed.
  ///
  /// @param oldest of the checkpoints that may still be opened: the log from there on is kept
  /// @throws StoreFullException if the disk has no capacity for the ring; it may be tried again,
  ///   with other options
  public Log start(Clock clock, LogPosition oldest) {
    return start(clock, oldest, options);
  }

  /// Starts the next generation with other options than those of the log so far.
  public Log start(Clock clock, LogPosition oldest, LogSettings options) {
    if (endLsn < 0) {
      throw new IllegalStateException("replay the log first");
    }
    awaitSettled(); // (V2)
    var generation =
        new LogGeneration(
            id,
            nextGeneration(),
            Math.max(1, Math.ceilDiv(endLsn, options.ringBytes())) * options.ringBytes(),
            new LogPosition(endLsn, endGeneration, true),
            options.dataKey() == null ? null : Session.random());
    var earlier = new ArrayList<>(found.unfinished());
    for (FoundSegment segment : found.segments()) {
      // Past the end of its generation a thread of this process may still be encoding a frame, if
      // the log was mapped and failed: no other log must be written there.
      boolean reusable =
          segment.header().dataBytes() == options.segmentBytes()
              && segment.fileBytes() == SegmentHeader.BYTES + options.segmentBytes()
              && found.believedTo(segment, endLsn) == segment.header().endLsn();
      long keptTo = isNeeded(segment, oldest) ? segment.header().endLsn() : 0;
      earlier.add(new Segments.Old(segment.name(), keptTo, reusable));
    }
    earlier.sort(Comparator.comparingLong(Segments.Old::endLsn));
    int salt = FrameHeader.salt(id, generation.number());
    prepareFiles(options);
    if (options.mode().io() == LogIo.MAPPED) {
      var mapped = new MappedSegments(options.ringBytes(), salt);
      var segments = new Segments(disk, options, generation, found.nextSequence(), mapped, earlier);
      return Log.start(clock, options, generation, mapped, segments, oldest.lsn());
    }
    var segments = new Segments(disk, options, generation, found.nextSequence(), null, earlier);
    Ring ring = createRing(options, salt, segments);
    return Log.start(clock, options, generation, ring, segments, oldest.lsn());
  }

  /// Makes the log's directories, and deletes the old ring: what that alone held is in the segments
  /// now, and a mapping of it may still be in use.
  private void prepareFiles(LogSettings options) {
    try {
      Segments.createDirectory(disk);
      if (options.keeps()) {
        LogArchive.createDirectory(disk);
      }
      disk.delete(LogFiles.RING);
    } catch (DiskFullException e) {
      throw noRing(options, e);
    } catch (IOException e) {
      throw noRing(e);
    }
  }

  private Ring createRing(LogSettings options, int salt, Segments segments) {
    try {
      return Ring.create(disk, options, salt, segments);
    } catch (DiskFullException e) {
      throw noRing(options, e);
    } catch (IOException e) {
      throw noRing(e);
    }
  }

  private StoreFullException noRing(LogSettings options, DiskFullException e) {
    return new StoreFullException(
        "log ring cannot be created: file="
            + disk.describe(LogFiles.RING)
            + ", bytes="
            + options.ringBytes()
            + "; free disk space and open again",
        e);
  }

  private StoreIoException noRing(IOException e) {
    return new StoreIoException(
        "log ring cannot be created: file=" + disk.describe(LogFiles.RING) + "; see the cause", e);
  }
}
