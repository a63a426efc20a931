package io.varve.internal.store;

import io.varve.CorruptStoreException;
import io.varve.LogIo;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.internal.checkpoint.BallastFile;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.Superblocks;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.StoreLog;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogMode;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.spi.PageCodec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Makes an open store of the files of one: the newest checkpoint, and the log after it.
///
/// On a full disk it tries a second time, with less: the capacity of the reserve, a short ring and
/// short segments. It truncates the page file to what is taken of it. So a store opens on the disk
/// that it has filled, and can be read, and relieved by deletes.
final class StoreRecovery {
  /// Enough for the changes and the checkpoints of a few deletes at a time, however little capacity
  /// there is otherwise.
  private static final long RESERVE_BYTES_MAX = 8L << 20;

  private static final long RESERVE_BYTES_MIN = 512 << 10;
  private static final int RESERVE_PART = 8;

  /// The parts of a small disk or quota that the log may take.
  private static final int LOG_PART = 8;

  private static final int SEGMENT_PART = 32;
  private static final int RING_PART = 64;

  private final LockedDirectory directory;
  private final MeteredDisk disk;
  private final StoreOptions options;
  private final @Nullable PageCodec codec;
  private final Clock clock;
  private final StoreThreads threads;
  private final LogSettings logOptions;
  private final BallastFile ballast;

  StoreRecovery(
      LockedDirectory directory,
      StoreOptions options,
      @Nullable PageCodec codec,
      Clock clock,
      StoreThreads threads)
      throws IOException {
    this.directory = directory;
    this.disk = directory.disk();
    this.options = options;
    this.codec = codec;
    this.clock = clock;
    this.threads = threads;
    this.logOptions = logOptions();
    this.ballast = new BallastFile(disk, reserveBytesMax(), logReserveBytes());
  }

  /// The log's own limits. Its buffer is at most a quarter of what the log may hold: the log begins
  /// at a multiple of the buffer's length, so up to one such length is lost at each open. In what
  /// would be left, no checkpoint would ever free enough for a commit.
  private LogSettings logOptions() throws IOException {
    LogSettings wanted =
        LogSettings.defaults()
            .ringBytes(
                ringBytes(Math.min(options.log().bufferBytes(), options.log().bytesMax() / 4)))
            .segmentBytes(options.log().segmentBytes())
            .logBytesMax(options.log().bytesMax() - FrameHeader.MARK_BYTES_MAX)
            .keeps(options.archiveLog())
            .flushIntervalNanos(options.log().flushInterval().toNanos())
            .mode(
                new LogMode(
                    options.log().io(),
                    options.log().commitGrouping(),
                    options.log().commitWait(),
                    options.completionExecutor()))
            .threads(threads)
            .dataKey(directory.dataKey());
    long usable = disk.usableBytes();
    long size = usable > Long.MAX_VALUE / 2 ? usable : disk.usedBytes() + usable;
    if (wanted.fileBytesMax() <= size / LOG_PART) {
      return wanted;
    }
    int ring = ringBytes(Math.min(wanted.ringBytes(), size / RING_PART));
    return wanted
        .ringBytes(ring)
        .segmentBytes(Math.max(1, Math.min(wanted.segmentBytes(), size / SEGMENT_PART)))
        .logBytesMax(Math.max(4L * ring, Math.min(wanted.logBytesMax(), size / LOG_PART)))
        .spareSegmentsMax(1);
  }

  private static int ringBytes(long bytesMax) {
    return (int) Math.max(LogSettings.RING_BYTES_MIN, Long.highestOneBit(bytesMax));
  }

  private long reserveBytesMax() {
    long bytes = Math.min(RESERVE_BYTES_MAX, 2L * options.log().segmentBytes());
    return Math.min(bytes, Math.max(RESERVE_BYTES_MIN, options.diskBytesMax() / RESERVE_PART));
  }

  /// What the reserve has for a mapped log, which grows by a term and not by less: two segments of
  /// one term. The last segment goes only once the next one is there, however little it holds. A
  /// log that begins on a full disk has none yet.
  private long logReserveBytes() {
    return logOptions.mode().io() == LogIo.MAPPED
        ? 2L * (SegmentHeader.BYTES + logOptions.termBytes())
        : 0;
  }

  /// The options of a log that takes but a part of the reserve.
  private LogSettings sparing() {
    int ring = ringBytes(Math.min(logOptions.ringBytes(), reserveBytesMax() / 16));
    return logOptions
        .ringBytes(ring)
        .segmentBytes(ring)
        .logBytesMax(2L * ring)
        .prepareBytes(Math.min(logOptions.prepareBytes(), ring))
        .spareSegmentsMax(0);
  }

  /// Recovers the store.
  ///
  /// @throws StoreFullException if the disk is full, and the reserve was used up before
  OpenStore run() throws IOException {
    long fileBytes;
    try (PageFile file = PageFile.open(disk, PageFile.NAME)) {
      fileBytes = file.size();
    }
    try {
      return attempt(Long.MAX_VALUE, logOptions);
    } catch (StoreFullException e) {
      if (options.readOnly()) {
        throw ReadOnly.noMemory(disk.describe(""), options, e);
      }
      ballast.release();
      return attempt(fileBytes, sparing());
    }
  }

  /// @param fileBytesMin the length to cut the page file to where no more is taken, since the disk
  ///   is full
  private OpenStore attempt(long fileBytesMin, LogSettings newLog) throws IOException {
    StoreLog log = new StoreLog();
    PageFile file = PageFile.open(disk, PageFile.NAME, directory.dataKey(), codec, log::fail);
    try {
      Superblock newest = Superblock.readNewest(file);
      if (newest == null) {
        throw new CorruptStoreException(
            "no superblock is whole: file=" + file.where() + "; restore this store from a backup");
      }
      directory.requireBelong(options, newest);
      var files = new StoreFiles(disk, directory.lock(), file);
      return recover(files, log, newest, fileBytesMin, newLog);
    } catch (Throwable e) {
      new ClosingSteps(e).take(file::close);
      throw e;
    }
  }

  /// Whether the log's files have passed their bound, since each open of a store that was killed
  /// begins a segment: then a checkpoint frees log before the next open. Without it a store that is
  /// killed before its first checkpoint, again and again, would fill the disk. A reader adds
  /// nothing.
  private boolean isLogTooLong(LogRecovery recovery, LogPosition oldest) {
    return !options.readOnly()
        && recovery.fileBytesNeeded(oldest) > logOptions.retainedFileBytesMax();
  }

  private OpenStore recover(
      StoreFiles files, StoreLog log, Superblock superblock, long fileBytesMin, LogSettings newLog)
      throws IOException {
    long started = clock.nanoTime();
    StoreId id = new StoreId(superblock.idHigh(), superblock.idLow());
    Superblock before = superblock.readBefore(files.pages());
    OpenGuard guard = new OpenGuard(files.pages(), directory.lock(), clock.currentTimeMillis());
    LogSettings oldLog = logOptions.reachKeeper(guard);
    LogPosition from = Superblocks.cut(superblock);
    LogRecovery recovery = LogRecovery.find(disk, oldLog, id, from);
    long firstEpoch = firstEpoch(superblock, before != null, recovery.nextGeneration());
    boolean holdsBefore = before != null && before.catalogExtent() != superblock.catalogExtent();
    var superblocks = new Superblocks(files.pages(), guard::check, superblock, before);
    var base = new Checkpointer.Base(superblocks, disk, ballast, clock);
    var entry = new Entry(guard, files.pages(), superblock, before);
    var survey = new LogSurvey(disk, oldLog, id, from, recovery, entry);
    OpenStore.Recovery content =
        parts -> {
          var opening = new DurableOpening(parts, log, base, threads);
          Replay replay = opening.replay(holdsBefore, survey, null);
          if (fileBytesMin < Long.MAX_VALUE) {
            replay.beginWithin(fileBytesMin);
          }
          files.pages().extents().endFrom(files.pages().size());
          long lastLsn = recovery.replayAhead(replay, entry::forceFile);
          try {
            if (isLogTooLong(recovery, superblocks.oldestCut())) {
              replay.checkpointAtEnd(recovery.end());
            }
            replay.finish();
            recovery.awaitSettled();
          } finally {
            recovery.finishSettling();
          }
          entry.enter();
          LogSettings next = newLog.reachKeeper(guard).askForCheckpoint(opening::askForCheckpoint);
          log.begin(recovery.start(clock, superblocks.oldestCut(), next));
          ballast.restore();
          ballast.growFor(files.pages().extents().liveBytes());
          return opening.begin(
              new RecoveredLog(
                  log.open(),
                  newLog.fileBytesMax(),
                  Math.max(lastLsn, superblock.cut()),
                  replay.commits(),
                  clock.nanoTime() - started));
        };
    var opening = new OpenStore.Opening(log, guard, content);
    return new OpenStore(options, clock, files, firstEpoch, opening);
  }

  /// Makes known that this process has the store open, before it changes what another one may be
  /// using (G1): once, at the first write of the replay, or when that is done.
  private static final class Entry implements LogSurvey.Entry {
    private final OpenGuard guard;
    private final PageFile file;
    private final Superblock recovered;

    /// The other superblock as it was read first; one that could not be read then may be there now.
    private final @Nullable Superblock before;

    /// Set by the thread that makes the log durable, which is awaited before [#enter].
    private boolean wasForced;

    private boolean entered;

    Entry(OpenGuard guard, PageFile file, Superblock recovered, @Nullable Superblock before) {
      this.guard = guard;
      this.file = file;
      this.recovered = recovered;
      this.before = before;
    }

    /// Forces the page file, once.
    ///
    /// @throws StoreIoException if that fails
    void forceFile() {
      if (!wasForced) {
        try {
          file.force();
        } catch (IOException e) {
          throw new StoreIoException(
              "page file cannot be forced, on which the log is applied: file="
                  + file.where()
                  + "; check the disk, and open the store again",
              e);
        }
        wasForced = true;
      }
    }

    @Override
    public void enter() throws IOException {
      if (entered) {
        return;
      }
      entered = true;
      forceFile(); // (REPLAY-4)
      guard.enter();
      Superblock newest = Superblock.readNewest(file);
      boolean wasNewest = before != null && before.sequence() < recovered.sequence();
      if (wasNewest && newest != null && newest.sequence() > recovered.sequence()) {
        throw new StoreLockedException(
            "another process wrote a checkpoint while the store was opened here: file="
                + file.where()
                + ", recovered="
                + recovered
                + ", found="
                + newest
                + "; close it there first");
      }
    }
  }

  /// The first epoch of a life of the store. None is ever used twice, whatever a crash or a damaged
  /// superblock took back: each generation of the log has epochs of its own, more than can be
  /// closed in it. So of two images of a page the one of the higher epoch is the newer. What a
  /// backup holds of an epoch stays true.
  private static long firstEpoch(Superblock newest, boolean both, int generation) {
    long first = (long) generation << 32;
    if (!both) {
      first += 1L << 31; // Perhaps that of a checkpoint in this generation, before it had any log.
    }
    return Math.max(first, newest.epoch() + ReplayRelief.EPOCHS); // (REPLAY-2)
  }
}
