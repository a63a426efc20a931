package io.varve.internal.store;

import io.varve.Commit;
import io.varve.StoreFailedException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.admin.RestoreTo;
import io.varve.internal.backup.BackupHeader;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.backup.TakenPoints;
import io.varve.internal.checkpoint.BallastFile;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.Superblocks;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.file.ArchivedValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.txn.ChosenChanges;
import io.varve.internal.txn.LogRecord;
import io.varve.internal.wal.CommitConsumer;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.StoreLog;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Applies archived log to a page file that was restored from a point, up to a commit or a time.
final class LogRestore {
  /// Nothing is written but the checkpoint at the end, so a small log will do.
  private static final LogSettings SMALL_LOG =
      LogSettings.defaults().ringBytes(1 << 20).segmentBytes(1 << 20).logBytesMax(4 << 20);

  private final BackupSet set;
  private final BackupHeader point;
  private final RestoreTo state;

  /// Of the point and of what is restored; null if they are not encrypted.
  private final @Nullable DataKey dataKey;

  private final RestoreRun run;

  /// The last commit that the store holds.
  private long lastCommit;

  LogRestore(
      BackupSet set,
      BackupHeader point,
      RestoreTo state,
      @Nullable DataKey dataKey,
      RestoreRun run) {
    this.run = run;
    this.set = set;
    this.point = point;
    this.state = state;
    this.dataKey = dataKey;
    this.lastCommit = point.lsn();
  }

  /// Applies what the state asks for beyond the point.
  ///
  /// @param restored the newest superblock of the page file
  /// @return the last commit that the store holds
  /// @throws StoreIoException if nothing leads from the point to the commit that is asked for
  long apply(Supplier<Disk> target, Superblock restored) throws IOException {
    if (point.logFromLsn() < 0) {
      requireHeld();
      return lastCommit;
    }
    long limit =
        switch (state) {
          case RestoreTo.Newest _, RestoreTo.Point _ -> point.lsn();
          case RestoreTo.Commit(Commit(var lsn)) -> lsn;
          case RestoreTo.Time(var time) -> noted(time.toEpochMilli());
        };
    if (limit > point.lsn()) {
      OpenStore store = open(target, restored, limit);
      try (store) {
        // What was applied is in memory alone until then, and a log that failed is noticed.
        store.checkpoint();
        store.verify().requireSound();
      } catch (StoreFailedException e) {
        throw notWritten(e);
      }
      if (!store.isClosedCleanly()) {
        throw notWritten(null); // it would need its log
      }
    }
    return lastCommit;
  }

  private StoreIoException notWritten(@Nullable StoreFailedException cause) {
    String message =
        "the restored store could not be written: source="
            + set.where()
            + ", commit="
            + lastCommit
            + (cause == null ? "" : ", cause=" + cause.getCause())
            + "; empty the directory, or name one on another disk, and try again";
    return cause == null ? new StoreIoException(message) : new StoreIoException(message, cause);
  }

  /// Refuses a commit after a point that no log was kept from. A time is not refused: nothing that
  /// is younger than the point is known to be no younger than it.
  private void requireHeld() {
    if (state instanceof RestoreTo.Commit(Commit(var lsn)) && lsn > point.lsn()) {
      throw new StoreIoException(
          "no log was kept after the point before that commit: source="
              + set.where()
              + ", commit="
              + lsn
              + ", point="
              + point.number()
              + ", pointLsn="
              + point.lsn()
              + "; restore that point by its number, or a later one");
    }
  }

  /// The last note in the log that is no younger than a time and has no younger one before it, or
  /// the point. The log after the next note is not read: it may be missing.
  private long noted(long millis) {
    long[] found = {point.lsn()};
    LogRecovery log = set.log(point, dataKey);
    long[] endOfCommit = new long[1];
    LogRecord.Visitor notes =
        new ChosenChanges() {
          @Override
          public void time(long noted) {
            if (noted > millis) {
              log.stop();
            } else {
              found[0] = Math.max(found[0], endOfCommit[0]);
            }
          }
        };
    log.replay((start, end, body) -> {
      endOfCommit[0] = end;
      CommitBody.read(set.where(), start, body, notes);
    });
    return found[0];
  }

  /// Opens the store of the restored page file, with the log applied up to a limit.
  private OpenStore open(Supplier<Disk> target, Superblock restored, long limit)
      throws IOException {
    Disk disk = target.get();
    DiskLock lock = null;
    PageFile file = null;
    try {
      lock = disk.lock(StoreOpener.LOCK_FILE);
      var names = List.of(StoreOpener.RESTORING_PAGE_FILE);
      MeteredDisk metered = new MeteredDisk(disk, Long.MAX_VALUE, names, 0);
      StoreLog log = new StoreLog();
      file = PageFile.open(metered, StoreOpener.RESTORING_PAGE_FILE, dataKey, null, log::fail);
      file.needCodecs(point.codecs());
      return open(metered, new StoreFiles(metered, lock, file), log, restored, limit);
    } catch (Throwable e) {
      new ClosingSteps(e).take(new StoreFiles(disk, lock, file)::close);
      throw e;
    }
  }

  private OpenStore open(
      MeteredDisk disk, StoreFiles files, StoreLog log, Superblock restored, long limit)
      throws IOException {
    LogRecovery kept = set.log(point, dataKey);
    var base =
        new Checkpointer.Base(
            new Superblocks(files.pages(), () -> {}, restored, null),
            disk,
            new BallastFile(disk, 0, 0),
            run.clock());
    OpenStore.Recovery content =
        parts -> {
          var opening = new DurableOpening(parts, log, base, run.threads());
          PageFile file = parts.file;
          Replay replay = opening.replay(false, null, new ArchivedValues(file));
          long end = kept.replay(afterThePoint(replay), limit);
          requireReached(limit, end, kept.isAtLimit());
          replay.finish();
          LogSettings next =
              SMALL_LOG
                  .dataKey(dataKey)
                  .threads(run.threads())
                  .askForCheckpoint(opening::askForCheckpoint);
          StoreId id = new StoreId(restored.idHigh(), restored.idLow());
          LogRecovery none = LogRecovery.find(disk, next, id, kept.end());
          none.replay((_, _, _) -> {});
          log.begin(none.start(run.clock(), kept.end()));
          return opening.begin(
              new RecoveredLog(
                  log.open(),
                  next.fileBytesMax(),
                  Math.max(end, point.lsn()),
                  replay.commits(),
                  0));
        };
    return new OpenStore(
        StoreOptions.defaults(),
        run.clock(),
        files,
        (long) kept.nextGeneration() << 32,
        new OpenStore.Opening(log, TakenPoints.UNKNOWN, content));
  }

  /// Refuses a commit that the archived log ends before.
  private void requireReached(long limit, long end, boolean isAtLimit) {
    if (end < limit && !isAtLimit && state instanceof RestoreTo.Commit) {
      throw new StoreIoException(
          "the archived log ends before that commit: source="
              + set.where()
              + ", commit="
              + limit
              + ", endLsn="
              + end
              + "; take a backup of the store, which brings its log, or name an earlier one");
    }
  }

  /// Of what is before the point's cut, only values are wanted whose commits may be after it.
  private CommitConsumer afterThePoint(Replay replay) {
    LogRecord.Visitor valuesAlone =
        new ChosenChanges() {
          @Override
          public void imagePiece(int space, long extent, int offset, byte[] bytes) {
            replay.imagePiece(space, extent, offset, bytes);
          }
        };
    return (start, end, body) -> {
      if (end <= point.cut()) {
        CommitBody.read(set.where(), start, body, valuesAlone);
      } else {
        replay.commit(start, end, body);
        lastCommit = Math.max(lastCommit, end);
      }
    };
  }
}
