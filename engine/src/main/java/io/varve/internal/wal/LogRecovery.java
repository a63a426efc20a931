package io.varve.internal.wal;

import io.varve.CorruptStoreException;
import io.varve.LogIo;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Session;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.FoundSegment;
import io.varve.internal.wal.format.FrameBody;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.FrameReader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogGeneration;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.RecordSource;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogArchive;
import io.varve.internal.wal.segment.LogOptions;
import io.varve.internal.wal.segment.MappedSegments;
import io.varve.internal.wal.segment.Ring;
import io.varve.internal.wal.segment.Segments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the log after a checkpoint, replays it, and starts its next generation.
///
/// The log is a chain of *generations*, one per open; each states where the one before ended. A
/// frame is looked for in its segment first and then in the ring, which after the death of the
/// process holds what was not written yet. Where the last generation has no valid frame in either,
/// the log ends; unless a mark further on says that more was durable: then data that was
/// acknowledged is damaged.
///
/// - (V1) A file is forced before it is believed: after the death of the process, what it wrote is
///   shown, and may not be on the disk yet.
/// - (V2) The end found is stable before the next generation states it: all that was believed is
///   written again, in its place, with the frames found in the ring alone, and forced. A force
///   alone proves nothing where one failed before: the system's cache shows what the disk lacks,
///   and counts it as written. So a crash at any point of a recovery leads the next to the same
///   end.
/// - (V3) Nothing on disk changes before the whole log was read and found undamaged.
public final class LogRecovery {
  private static final int REWRITE_BYTES = 1 << 20;

  private final Disk disk;
  private final LogOptions options;
  private final StoreId id;
  private final LogPosition checkpoint;

  /// Whether the files are those of backups, which stay as they are: nothing is written.
  private final boolean forReading;

  /// Headers of this store's segments by file name, in order of generation and LSN.
  private final List<FoundSegment> found;

  /// Files whose header does not check: never finished, or torn while reused.
  private final List<Segments.Old> unfinished;

  private final long nextSequence;
  private final int generationMax;
  private final Map<String, DiskFile> files = new HashMap<>();

  /// Frames that only the ring holds, as ranges to be written to their segment.
  private final List<RingOnly> ringOnly = new ArrayList<>();

  private @Nullable DiskFile ringFile;
  private long endLsn = -1;
  private long stoppedLsn; // where no valid frame was found
  private int endGeneration;
  private long commits;

  /// Of the commit that is being handed over.
  private int handedGeneration;

  /// Commits that end after this are not handed over, and log after it need not be there.
  private long limit = Long.MAX_VALUE;

  private boolean isAtLimit;

  private record RingOnly(FoundSegment segment, long lsn, ByteBuffer frame) {}

  private LogRecovery(
      Disk disk,
      LogOptions options,
      StoreId id,
      LogPosition checkpoint,
      boolean forReading,
      List<FoundSegment> found,
      List<Segments.Old> unfinished,
      long nextSequence) {
    this.disk = disk;
    this.options = options;
    this.id = id;
    this.checkpoint = checkpoint;
    this.forReading = forReading;
    this.found = found;
    this.unfinished = unfinished;
    this.nextSequence = nextSequence;
    int max = checkpoint.generation();
    for (FoundSegment segment : found) {
      max = Math.max(max, segment.header().generation());
    }
    this.generationMax = max;
  }

  /// Starts the log of a new store; the same as recovering from [LogPosition#ORIGIN].
  public static Log createLog(Disk disk, Clock clock, LogOptions options, StoreId id) {
    LogRecovery recovery = find(disk, options, id, LogPosition.ORIGIN);
    recovery.replay((_, _, _) -> {});
    return recovery.start(clock, LogPosition.ORIGIN);
  }

  /// First step of an open: finds the log after a checkpoint. Then [#replay], then [#start].
  public static LogRecovery find(
      Disk disk, LogOptions options, StoreId id, LogPosition checkpoint) {
    return find(disk, options, id, checkpoint, /* forReading= */ false);
  }

  /// Finds the log of a store in a directory of backups, from a position on, to be read alone: that
  /// of other stores may be there as well.
  ///
  /// @param dataKey of the store, or null if it is not encrypted
  public static LogRecovery findForReading(
      Disk disk, StoreId id, LogPosition from, @Nullable DataKey dataKey) {
    LogOptions options = LogOptions.defaults().dataKey(dataKey);
    return find(disk, options, id, from, /* forReading= */ true);
  }

  private static LogRecovery find(
      Disk disk, LogOptions options, StoreId id, LogPosition checkpoint, boolean forReading) {
    try {
      var found = new ArrayList<FoundSegment>();
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
          } else if (!header.id().equals(id)) {
            if (forReading) {
              continue;
            }
            throw new CorruptStoreException(
                "log segment belongs to another store: file="
                    + disk.describe(name)
                    + "; move it away, or put the files of one store together");
          } else if ((header.session() == null) != (options.dataKey() == null)) {
            throw new CorruptStoreException(
                "store and log segment are not both encrypted: file="
                    + disk.describe(name)
                    + "; put the files of one store together, or restore it from a backup");
          } else {
            found.add(new FoundSegment(name, file.size(), header));
            sequenceMax = Math.max(sequenceMax, header.sequence());
          }
        }
      }
      found.sort(
          Comparator.comparingInt((FoundSegment segment) -> segment.header().generation())
              .thenComparingLong(segment -> segment.header().firstLsn()));
      return new LogRecovery(
          disk, options, id, checkpoint, forReading, found, unfinished, sequenceMax + 1);
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
    limit = limitLsn;
    if (endLsn >= 0) {
      throw new IllegalStateException("log was replayed before");
    }
    try {
      openRing();
      long end = replayChain(consumer);
      if (!isAtLimit) {
        refuseUnfinishedIfVouched(end);
      }
      if (!forReading) {
        settle(end);
      }
      endLsn = end;
      return end;
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "log cannot be recovered without disk space: directory="
              + disk.describe(LogFiles.DIRECTORY)
              + "; free some and open again",
          e);
    } catch (IOException e) {
      throw unreadable(disk, e);
    } finally {
      closeFiles();
    }
  }

  /// The generation that [#start] begins: higher than any that left a trace.
  public int nextGeneration() {
    return generationMax + 1;
  }

  /// The place where the replay ended, as that from which another log continues.
  public LogPosition end() {
    if (endLsn < 0) {
      throw new IllegalStateException("replay the log first");
    }
    return new LogPosition(endLsn, endGeneration, true);
  }

  /// The generation of the commit that is being handed over. For the consumer.
  public int generation() {
    return handedGeneration;
  }

  /// Ends the replay after the commit that is being handed over. For the consumer.
  public void stop() {
    limit = 0;
  }

  /// Whether the replay ended at its limit, rather than where the log ends.
  public boolean isAtLimit() {
    return isAtLimit;
  }

  /// The commits that [#replay] handed over.
  public long commits() {
    return commits;
  }

  /// Follows the generations from the checkpoint on.
  private long replayChain(CommitConsumer consumer) throws IOException {
    long lsn = checkpoint.lsn();
    stoppedLsn = lsn;
    int generation = checkpoint.generation();
    boolean present = firstOf(generation, lsn) != null;
    if (!present && !checkpoint.mayEnd()) {
      throw completeness().missing(generation, lsn);
    }
    if (!forReading) {
      completeness().check();
    }
    while (true) {
      SegmentHeader after = generationAfter(generation);
      if (present) {
        lsn =
            replayGeneration(
                generation, lsn, after == null ? -1 : after.previousEndLsn(), consumer);
      } else if (after != null && after.previousEndLsn() != lsn) {
        throw brokenChain(after, lsn);
      }
      endGeneration = generation;
      if (after == null || isAtLimit) {
        return lsn;
      }
      generation = after.generation();
      lsn = after.generationFirstLsn();
      present = true;
    }
  }

  private Completeness completeness() throws IOException {
    return new Completeness(disk, found, unfinished, checkpoint, options.reachKeeper().known());
  }

  private @Nullable SegmentHeader generationAfter(int generation) {
    for (FoundSegment segment : found) {
      if (segment.header().generation() > generation) {
        return segment.header();
      }
    }
    return null;
  }

  private CorruptStoreException brokenChain(SegmentHeader after, long lsn) {
    return new CorruptStoreException(
        "log has a hole: directory="
            + disk.describe(LogFiles.DIRECTORY)
            + ", foundEndLsn="
            + lsn
            + ", statedEndLsn="
            + after.previousEndLsn()
            + ", generation="
            + after.generation()
            + "; restore from a backup, or salvage");
  }

  private @Nullable FoundSegment firstOf(int generation, long lsn) {
    return Completeness.firstOf(found, generation, lsn);
  }

  /// Reads one generation from `from` on.
  ///
  /// @param statedEnd where the next generation says that this one ended; -1 for the last
  /// @return where it ends
  private long replayGeneration(int generation, long from, long statedEnd, CommitConsumer consumer)
      throws IOException {
    int salt = FrameHeader.salt(id, generation);
    var pieces = new ArrayList<RecordSource.Piece>();
    long commitStart = -1; // of a commit that is cut and not complete yet
    int ringOnlyKept = ringOnly.size();
    long lsn = from;
    FoundSegment segment = null;
    FrameReader inSegment = null;
    FrameReader inRing = null;
    SessionCipher cipher = null;
    while (statedEnd < 0 || lsn < statedEnd) {
      if (segment == null || !segment.holds(lsn)) {
        segment = firstOf(generation, lsn);
        if (segment == null) {
          break;
        }
        int termBytes = segment.header().termBytes();
        inSegment = new FrameReader(open(segment.name()), salt, termBytes);
        inRing = ringReader(salt, termBytes);
        cipher = options.cipher(segment.header().session());
      }
      int termBytes = segment.header().termBytes();
      FrameReader reader = inSegment;
      int length =
          reader == null
              ? 0
              : reader.frameAt(
                  lsn, segment.header().offset(lsn), segment.header().offset(segment.filledLsn()));
      if (length == 0 && inRing != null) {
        reader = inRing;
        length = reader.frameAt(lsn, lsn & (termBytes - 1), termBytes);
        if (length > 0) {
          keepRingOnly(segment, reader, lsn, length);
        }
      }
      if (length == 0 || reader == null) {
        break;
      }
      byte[] window = reader.window();
      int at = reader.offset(lsn);
      long next = FrameHeader.next(lsn, length, termBytes);
      byte type = FrameHeader.typeAt(window, at);
      boolean begins = type == FrameHeader.COMMIT || type == FrameHeader.FIRST;
      boolean goesOn = type == FrameHeader.MIDDLE || type == FrameHeader.LAST;
      if (goesOn != (commitStart >= 0)) {
        // A commit's frames are next to each other from first to last: they were reserved together.
        throw damage(segment, lsn, next, "frame out of order");
      }
      if (begins || goesOn) {
        commitStart = begins ? lsn : commitStart;
        boolean ends = type == FrameHeader.COMMIT || type == FrameHeader.LAST;
        RecordSource.Piece body = FrameBody.of(cipher, window, at, length);
        if (body == null) {
          throw changed(segment, lsn);
        }
        pieces.add(body);
        if (ends && next > limit) {
          isAtLimit = true;
          return commitStart;
        }
        if (ends) {
          handedGeneration = generation;
          consumer.commit(commitStart, next, new RecordSource(pieces));
          commits++;
          pieces.clear();
          commitStart = -1;
          ringOnlyKept = ringOnly.size();
          if (next >= limit) {
            isAtLimit = true;
            return next;
          }
        }
      } else {
        ringOnlyKept = ringOnly.size();
      }
      lsn = next;
    }
    long end = commitStart >= 0 ? commitStart : lsn;
    // What an incomplete commit left in the ring is no part of the log.
    ringOnly.subList(ringOnlyKept, ringOnly.size()).clear();
    if (statedEnd >= 0) {
      if (end != statedEnd) {
        SegmentHeader after = generationAfter(generation);
        if (after != null && lsn == end && firstOf(generation, end) == null) {
          throw completeness().missing(generation, end);
        }
        throw after == null ? new IllegalStateException() : brokenChain(after, end);
      }
    } else {
      stoppedLsn = lsn;
      refuseIfVouched(generation, salt, end, lsn);
    }
    return end;
  }

  private CorruptStoreException changed(FoundSegment segment, long lsn) {
    return new CorruptStoreException(
        "log record is not what was encrypted: file="
            + disk.describe(segment.name())
            + ", offset="
            + segment.header().offset(lsn)
            + ", lsn="
            + lsn
            + ", generation="
            + segment.header().generation()
            + "; it was changed or put there by others: restore from a backup");
  }

  /// The log seems to end at `end`, since nothing valid is at `lsn`. Refuses it if a later mark
  /// says that more than `lsn` was durable. (Frames of a commit that is cut may be durable before
  /// it is complete, so that `end` was durable says nothing.)
  private void refuseIfVouched(int generation, int salt, long end, long lsn) throws IOException {
    for (FoundSegment segment : found) {
      if (segment.header().generation() != generation || segment.filledLsn() <= lsn) {
        continue;
      }
      long from = Math.max(lsn, segment.header().firstLsn());
      int termBytes = segment.header().termBytes();
      boolean vouched =
          new FrameReader(open(segment.name()), salt, termBytes)
              .hasVouchingMark(
                  lsn,
                  segment.header().offset(from),
                  segment.header().offset(segment.filledLsn()),
                  from);
      FrameReader inRing = ringReader(salt, termBytes);
      if (vouched || (inRing != null && inRing.hasVouchingMark(lsn, 0, termBytes, -1))) {
        FoundSegment damaged = firstOf(generation, lsn);
        throw damage(damaged == null ? segment : damaged, lsn, end, "log record damaged");
      }
    }
  }

  /// A segment whose header is damaged is not part of the chain. Refuses it if it holds log that
  /// was durable, of the last generation found or of the next one.
  private void refuseUnfinishedIfVouched(long end) throws IOException {
    int termBytes = found.isEmpty() ? options.ringBytes() : found.getLast().header().termBytes();
    for (Segments.Old file : unfinished) {
      for (int generation = endGeneration; generation <= generationMax + 1; generation++) {
        DiskFile open = open(file.name());
        if (new FrameReader(open, FrameHeader.salt(id, generation), termBytes)
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

  private CorruptStoreException damage(FoundSegment segment, long lsn, long end, String what) {
    return new CorruptStoreException(
        what
            + ": file="
            + disk.describe(segment.name())
            + ", offset="
            + segment.header().offset(lsn)
            + ", lsn="
            + lsn
            + ", intactLsn="
            + end
            + ", generation="
            + segment.header().generation()
            + "; later records vouch that it was durable: restore from a backup, or salvage");
  }

  private void keepRingOnly(FoundSegment segment, FrameReader reader, long lsn, int length) {
    int at = reader.offset(lsn);
    byte type = FrameHeader.typeAt(reader.window(), at);
    int bytes = FrameHeader.checkedBytes(type, length);
    ringOnly.add(
        new RingOnly(
            segment, lsn, ByteBuffer.wrap(Arrays.copyOfRange(reader.window(), at, at + bytes))));
  }

  /// Makes all that was believed durable (V2). Sectors that the disk has are overwritten by what
  /// they hold, so that no loss of power can harm them during that.
  private void settle(long end) throws IOException {
    for (RingOnly frame : ringOnly) {
      open(frame.segment.name()).write(frame.segment.header().offset(frame.lsn), frame.frame);
    }
    ringOnly.clear();
    ByteBuffer buffer = ByteBuffer.allocate(REWRITE_BYTES);
    for (FoundSegment segment : found) {
      DiskFile file = files.get(segment.name());
      if (file != null) {
        rewrite(file, 0, SegmentHeader.BYTES, buffer);
        rewrite(
            file,
            segment.header().offset(believedFrom(segment)),
            segment.header().offset(believedTo(segment, end)),
            buffer);
        file.force();
      }
    }
  }

  private long believedFrom(FoundSegment segment) {
    SegmentHeader header = segment.header();
    return header.generation() == checkpoint.generation()
        ? Math.max(header.firstLsn(), checkpoint.lsn())
        : header.firstLsn();
  }

  private long believedTo(FoundSegment segment, long end) {
    SegmentHeader after = generationAfter(segment.header().generation());
    return Math.min(segment.filledLsn(), after == null ? end : after.previousEndLsn());
  }

  private static void rewrite(DiskFile file, long from, long to, ByteBuffer buffer)
      throws IOException {
    for (long at = from; at < to; at += buffer.capacity()) {
      file.read(at, buffer.clear().limit((int) Math.min(buffer.capacity(), to - at)));
      file.write(at, buffer.flip());
    }
  }

  private DiskFile open(String name) throws IOException {
    DiskFile file = files.get(name);
    if (file == null) {
      file = forReading ? disk.open(name, FileOption.READ_ONLY) : disk.open(name);
      files.put(name, file);
      if (!forReading) {
        file.force(); // (V1)
      }
    }
    return file;
  }

  private void openRing() throws IOException {
    if (disk.exists(LogFiles.RING)) {
      ringFile = disk.open(LogFiles.RING);
      ringFile.force(); // (V1)
    }
  }

  private @Nullable FrameReader ringReader(int salt, int termBytes) throws IOException {
    return ringFile != null && ringFile.size() == termBytes
        ? new FrameReader(ringFile, salt, termBytes)
        : null;
  }

  private void closeFiles() {
    try {
      for (DiskFile file : files.values()) {
        file.close();
      }
      if (ringFile != null) {
        ringFile.close();
      }
    } catch (IOException e) {
      throw unreadable(disk, e);
    }
  }

  /// The bytes of the files that [#start] keeps for the checkpoints that may still be opened.
  public long fileBytesNeeded(LogPosition oldest) {
    return found.stream()
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
  /// @throws StoreFullException if the disk has no room for the ring; it may be tried again, with
  ///   other options
  public Log start(Clock clock, LogPosition oldest) {
    return start(clock, oldest, options);
  }

  /// Starts the next generation with other options than those of the log so far.
  public Log start(Clock clock, LogPosition oldest, LogOptions options) {
    if (endLsn < 0) {
      throw new IllegalStateException("replay the log first");
    }
    var generation =
        new LogGeneration(
            id,
            nextGeneration(),
            Math.max(1, Math.ceilDiv(endLsn, options.ringBytes())) * options.ringBytes(),
            new LogPosition(endLsn, endGeneration, true),
            options.dataKey() == null ? null : Session.random());
    var earlier = new ArrayList<>(unfinished);
    for (FoundSegment segment : found) {
      // Past the end of its generation a thread of this process may still be encoding a frame, if
      // the log was mapped and failed: no other log must be written there.
      boolean reusable =
          segment.header().dataBytes() == options.segmentBytes()
              && segment.fileBytes() == SegmentHeader.BYTES + options.segmentBytes()
              && believedTo(segment, endLsn) == segment.header().endLsn();
      long keptTo = isNeeded(segment, oldest) ? segment.header().endLsn() : 0;
      earlier.add(new Segments.Old(segment.name(), keptTo, reusable));
    }
    earlier.sort(Comparator.comparingLong(Segments.Old::endLsn));
    int salt = FrameHeader.salt(id, generation.number());
    MemorySegment ring = prepareFiles(options);
    if (ring == null) {
      var mapped = new MappedSegments(options.ringBytes(), salt);
      var segments = new Segments(disk, options, generation, nextSequence, mapped, earlier);
      return Log.start(clock, options, generation, mapped, segments, oldest.lsn());
    }
    var segments = new Segments(disk, options, generation, nextSequence, null, earlier);
    var memory = new Ring(ring, salt, segments);
    return Log.start(clock, options, generation, memory, segments, oldest.lsn());
  }

  /// Makes the log's directories, and a ring in place of the old one: what that alone held is in
  /// the segments now, and a mapping of it may still be in use.
  ///
  /// @return the ring; null if the log is mapped, and so has none
  private @Nullable MemorySegment prepareFiles(LogOptions options) {
    int bytes = options.ringBytes();
    try {
      Segments.createDirectory(disk);
      if (options.keeps()) {
        LogArchive.createDirectory(disk);
      }
      disk.delete(LogFiles.RING);
      return options.mode().io() == LogIo.MAPPED ? null : createRing(bytes);
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "log ring cannot be created: file="
              + disk.describe(LogFiles.RING)
              + ", bytes="
              + bytes
              + "; free disk space and open again",
          e);
    } catch (IOException e) {
      throw new StoreIoException(
          "log ring cannot be created: file=" + disk.describe(LogFiles.RING) + "; see the cause",
          e);
    }
  }

  /// A new file full of zeros, mapped.
  private MemorySegment createRing(int bytes) throws IOException {
    try (DiskFile file = disk.open(LogFiles.RING, FileOption.CREATE_NEW)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(bytes, 1 << 20));
      for (int at = 0; at < bytes; at += zeros.capacity()) {
        file.write(at, zeros.clear());
      }
      return file.map(0, bytes).memory();
    }
  }
}
