package io.varve.internal.store;

import io.varve.StoreIoException;
import io.varve.internal.disk.Disk;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.txn.ChosenChanges;
import io.varve.internal.wal.CommitConsumer;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.RecordSource;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import java.io.IOException;

/// Reads the whole log ahead of a replay that is about to write: so the log is found undamaged and
/// made durable first, and every extent that it names is taken. Holds one bit for each unit of the
/// page file, however many references there are.
final class LogSurvey {
  private final Disk disk;
  private final LogSettings options;
  private final StoreId id;
  private final LogPosition from;
  private final LogRecovery replayed;
  private final Entry entry;

  /// Makes known that this process has the store open.
  @FunctionalInterface
  interface Entry {
    void enter() throws IOException;
  }

  /// @param from where the replay begins
  /// @param replayed what the replay reads
  /// @param entry comes before the first write
  LogSurvey(
      Disk disk,
      LogSettings options,
      StoreId id,
      LogPosition from,
      LogRecovery replayed,
      Entry entry) {
    this.entry = entry;
    this.disk = disk;
    this.options = options;
    this.id = id;
    this.from = from;
    this.replayed = replayed;
  }

  /// The position of the commit that is being replayed.
  LogPosition position(long startLsn) {
    return new LogPosition(startLsn, replayed.generation(), false);
  }

  /// Takes the extents of the large values that the log names, and makes known that this process is
  /// about to write.
  ///
  /// @param passed how many of its references were taken before, from the first on
  void reserve(PageFile file, long passed) {
    replayed.awaitSettled(); // where it was read to its end, two would write the same again
    LogRecovery.find(disk, options, id, from)
        .replay(new References(disk.describe(LogFiles.DIRECTORY), file, passed));
    try {
      entry.enter();
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot note that the store is open: file=" + file.where() + "; " + e.getMessage(), e);
    }
  }

  private static final class References extends ChosenChanges implements CommitConsumer {
    private final String log;
    private final PageFile file;
    private long toPass;

    References(String log, PageFile file, long toPass) {
      this.log = log;
      this.file = file;
      this.toPass = toPass;
    }

    @Override
    public void commit(long startLsn, long endLsn, RecordSource body) {
      CommitBody.read(log, startLsn, body, this);
    }

    @Override
    public void put(int space, int keyLength, int valueLength, RecordSource body) {
      body.skip((long) keyLength + valueLength);
    }

    @Override
    public void putLarge(int space, byte[] key, StoredValue reference) {
      if (toPass > 0) {
        toPass--;
      } else {
        LargeValues.reserve(file, reference.bytes());
      }
    }
  }
}
