package io.varve.internal.store;

import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.DirtyShare;
import io.varve.internal.file.LargeAccounts;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.wal.StoreLog;
import io.varve.internal.wal.format.LogPosition;
import org.jspecify.annotations.Nullable;

/// Keeps a replay within the memory and the disk of its store: spills leaves when dirty ones pass
/// their share of the cache, and takes checkpoints between commits. So the file stays small, and a
/// recovery that is killed does not begin from the start again.
///
/// - (REPLAY-1) Nothing is written before the whole log was read, found undamaged and made durable,
///   and the extents that it names are taken. So a replay takes other extents, which include those
///   that a killed recovery wrote. The file does not grow from one open to the next.
/// - (REPLAY-2) Nothing is written before a superblock names an epoch from which the next recovery
///   keeps [#EPOCHS] away: of two images of a page the one of the higher epoch is the newer, though
///   killed recoveries leave images.
/// - (REPLAY-3) A checkpoint is taken where a commit begins, when all before it is applied and
///   nothing else. It cuts the log there, in the generation of that commit, and is named by both
///   superblocks, so that what it replaces is free: the file holds its pages and those of one state
///   under way.
/// - (REPLAY-4) Nothing is written before the page file was forced. A process that died may have
///   left the newest superblock in the memory of the system alone. Suppose that a loss of power
///   brought back the one that it replaced, after this open has freed what that one reaches. Then
///   the log and that superblock would name the same extents.
///
/// A full disk does not end a replay: what is dirty stays in memory then, as far as the heap goes.
///
/// For the one thread that recovers.
final class ReplayRelief {
  /// More epochs than the spills of a replay between two of its checkpoints close.
  static final long EPOCHS = 1 << 20;

  /// The part of the log's cap after which a replay that spills takes a checkpoint, so that a kill
  /// takes no more of its work.
  private static final int LOG_PART = 8;

  /// The part of the cache's budget that changes may take which were read and not applied. A log
  /// that fits is read to its end before a leaf is changed: each leaf is changed once, and the log
  /// is made durable concurrently.
  private static final int BUFFER_PART = 3;

  /// More takes no leaf less: it holds a log of the default length.
  private static final long BUFFER_BYTES_MAX = 256L << 20;

  /// The part of the cache's budget by which dirty pages grow before a full disk is tried again.
  private static final int RETRY_PART = 8;

  private final Checkpointer checkpointer;
  private final DirtyShare dirty;
  private final PageFile file;
  private final PageCache cache;
  private final LargeAccounts largeValues;
  private final StoreLog log;
  private final long checkpointLogBytes;
  private final long bufferBytesMax;

  /// Null if the log names no extents of the page file, and no place of it may be noted.
  private final @Nullable LogSurvey survey;

  /// How many references were taken one by one, before the survey.
  private long references;

  private boolean mayWrite;
  private boolean hasSpilled; // since the newest checkpoint

  /// Whether the last spill left too much of the file taken. Noted then, since it takes a walk over
  /// the units of the file.
  private boolean isFileLong;

  private long checkpointLsn = -1;

  /// The dirty bytes below which no spill is tried again, since the disk was full.
  private long dirtyBytesMin;

  /// @param survey of the log; null for an archived log
  ReplayRelief(
      Checkpointer checkpointer,
      DirtyShare dirty,
      Pages pages,
      StoreLog log,
      long logBytesMax,
      @Nullable LogSurvey survey) {
    this.checkpointer = checkpointer;
    this.dirty = dirty;
    this.file = pages.file();
    this.cache = pages.cache();
    this.largeValues = pages.largeValues();
    this.log = log;
    this.checkpointLogBytes = logBytesMax / LOG_PART;
    this.survey = survey;
    this.bufferBytesMax = Math.min(cache.bytesMax() / BUFFER_PART, BUFFER_BYTES_MAX);
    cache.withhold(bufferBytesMax);
  }

  /// The memory for changes that were read and not applied. The cache does without it during the
  /// replay.
  long bufferBytesMax() {
    return bufferBytesMax;
  }

  /// Gives the cache its whole budget again.
  void end() {
    cache.endWithholding(bufferBytesMax);
  }

  /// Takes the extents of a value that the log names, unless the survey did.
  void named(byte[] reference) {
    if (!mayWrite) {
      LargeValues.reserve(file, reference);
      references++;
    }
  }

  /// Makes sure that pages and values may be written from now on (REPLAY-1, REPLAY-2).
  void beforeWrite() {
    if (mayWrite) {
      return;
    }
    if (survey != null) {
      survey.reserve(file, references);
      checkpointer.raiseEpoch();
    }
    mayWrite = true;
  }

  /// Frees capacity in memory, if need be, before a change is applied.
  void beforeChange() {
    boolean wantsSpill = dirty.wantsSpillOfReplay();
    if (largeValues.areMany() || wantsSpill) {
      // An index that cannot be read is tried again with the next checkpoint: the open continues,
      // and the memory of the accounts with it.
      largeValues.trySettle();
    }
    if (wantsSpill && dirty.wantsSpillOfReplay() && cache.dirtyBytes() >= dirtyBytesMin) {
      spill();
    }
  }

  private void spill() {
    beforeWrite();
    try {
      checkpointer.spillAlways();
      hasSpilled = true;
      isFileLong = !checkpointer.maySpill();
      dirtyBytesMin = 0;
    } catch (StoreFullException e) {
      dirtyBytesMin = cache.dirtyBytes() + cache.bytesMax() / RETRY_PART;
    } catch (StoreFailedException e) {
      throw unwritable(e);
    }
  }

  /// Whether a checkpoint is to be taken before the commit at an LSN is applied: too much of the
  /// file is taken, or too much of the log was replayed.
  boolean wantsCheckpoint(long startLsn) {
    if (checkpointLsn < 0) {
      checkpointLsn = startLsn;
    }
    return hasSpilled
        && survey != null
        && (isFileLong || startLsn - checkpointLsn >= checkpointLogBytes);
  }

  /// Takes a checkpoint (REPLAY-3).
  ///
  /// @param startLsn where the first commit begins that was not applied
  void checkpoint(long startLsn) {
    LogSurvey named = survey;
    if (named == null) {
      throw new IllegalStateException("an archived log has no place in this store");
    }
    checkpoint(named.position(startLsn));
  }

  /// Takes a checkpoint of all that the log holds, so that none of it is needed any more.
  ///
  /// @param end where the log ends
  void checkpointAtEnd(LogPosition end) {
    beforeWrite();
    checkpoint(end);
  }

  private void checkpoint(LogPosition position) {
    log.appliedUpTo(position);
    hasSpilled = false;
    isFileLong = false;
    checkpointLsn = position.lsn();
    try {
      checkpointer.checkpointOfReplay();
    } catch (StoreFullException | StoreIoException e) {
      // Nothing was written, or what could not be read is needed first. The checkpoint before stays
      // in force. After the next spill this is tried again.
      dirtyBytesMin = cache.dirtyBytes() + cache.bytesMax() / RETRY_PART;
    } catch (StoreFailedException e) {
      throw unwritable(e);
    }
  }

  private StoreIoException unwritable(StoreFailedException e) {
    return new StoreIoException(
        "cannot write what the log holds: file="
            + file.where()
            + "; nothing is lost; see the cause and open the store again",
        e);
  }
}
