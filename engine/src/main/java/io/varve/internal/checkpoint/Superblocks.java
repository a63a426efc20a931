package io.varve.internal.checkpoint;

import io.varve.internal.file.Catalog;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The two superblock slots of an open store, written in turn.
///
/// Guarded by the checkpoint lock; a recovery, which is one thread, needs none.
public final class Superblocks {
  private final PageFile file;
  private final Guard guard;
  private Superblock newest;
  private @Nullable Superblock previous;

  /// Decides whether a superblock may be written.
  @FunctionalInterface
  public interface Guard {
    /// Returns if it may.
    ///
    /// @throws IOException if it must not, or nobody knows
    void check() throws IOException;
  }

  /// @param guard is asked before each superblock
  /// @param newest the checkpoint that the store starts from
  /// @param previous what the other slot names; null if that is not whole
  public Superblocks(PageFile file, Guard guard, Superblock newest, @Nullable Superblock previous) {
    this.file = file;
    this.guard = guard;
    this.newest = newest;
    this.previous = previous;
  }

  /// Writes the first checkpoint of a new store, which holds nothing, into both slots.
  public static void writeFirst(PageFile file, StoreId id, int pageBytes, LogPosition position)
      throws IOException {
    Catalog empty = new Catalog(1, List.of(), new long[0], List.of(), 0);
    Catalog.Location catalog = empty.write(file, 1);
    file.force();
    for (int sequence = 1; sequence <= 2; sequence++) {
      new Superblock(
              id.high(),
              id.low(),
              sequence,
              1,
              position.lsn(),
              catalog.extent(),
              catalog.checksum(),
              pageBytes,
              position.generation(),
              position.mayEnd())
          .write(file);
    }
    file.force();
  }

  /// Of the newest checkpoint that is durable.
  public Superblock newest() {
    return newest;
  }

  /// Where the log begins that the checkpoint in either slot may need.
  public LogPosition oldestCut() {
    return cut(previous == null ? newest : previous);
  }

  /// Where the log begins that a checkpoint needs.
  public static LogPosition cut(Superblock superblock) {
    return new LogPosition(superblock.cut(), superblock.generation(), superblock.mayEnd());
  }

  /// Writes the superblock of a checkpoint whose pages, catalog and log are durable.
  void writeNext(long epoch, LogPosition cut, Catalog.Location catalog) throws IOException {
    Superblock before = newest;
    Superblock next =
        new Superblock(
            before.idHigh(),
            before.idLow(),
            before.sequence() + 1,
            epoch,
            cut.lsn(),
            catalog.extent(),
            catalog.checksum(),
            before.pageBytes(),
            cut.generation(),
            cut.mayEnd());
    guard.check();
    next.write(file);
    previous = before;
    newest = next;
  }

  /// Names the newest checkpoint again, as that of a later epoch in which nothing changed.
  void raiseEpoch(long epoch) throws IOException {
    Superblock same = newest;
    writeNext(epoch, cut(same), new Catalog.Location(same.catalogExtent(), same.catalogChecksum()));
  }
}
