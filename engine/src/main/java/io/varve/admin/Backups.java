package io.varve.admin;

import io.varve.CorruptStoreException;
import io.varve.KeySource;
import io.varve.ProgressListener;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreKeyException;
import io.varve.StoreLockedException;
import io.varve.internal.store.BackupPlace;
import io.varve.internal.store.StoreOpener;
import io.varve.internal.store.StoreRestorer;
import io.varve.spi.BackupTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Backups of stores in one location: a directory of points, one file, or a [BackupTarget]. Takes,
/// lists, restores and prunes them.
///
/// ```java
/// Backups backups = Backups.at(Path.of("backups"));
/// backups.take(store); // full at first, then what changed
/// backups.restore(Path.of("restored"), RestoreTo.newest());
/// ```
///
/// Safe for threads.
///
/// @since 1.0
public final class Backups {
  private final BackupPlace place;
  private final @Nullable KeySource key;

  private Backups(BackupPlace place, @Nullable KeySource key) {
    this.place = place;
    this.key = key;
  }

  /// The backups at `path`: one file if its name ends in `.vbk`, otherwise a directory. Nothing is
  /// read yet.
  public static Backups at(Path path) {
    return new Backups(new BackupPlace.OfPath(Objects.requireNonNull(path, "path")), null);
  }

  /// The backups in a target that is not a directory, which a program brings, such as an object
  /// store. What is documented here for a directory applies to it. Nothing is read yet.
  public static Backups at(BackupTarget target) {
    return new Backups(new BackupPlace.OfTarget(Objects.requireNonNull(target, "target")), null);
  }

  /// The same backups, with where the key comes from if their store is encrypted. Each opens with
  /// the key that the store had when it was taken, and so does what is restored from it.
  public Backups encryption(KeySource value) {
    return new Backups(place, Objects.requireNonNull(value, "encryption"));
  }

  /// Takes a backup of a store that is in use: see [#take(Store, BackupOptions)].
  public BackupPoint take(Store store) {
    return take(store, BackupOptions.defaults());
  }

  /// Writes a checkpoint of a store that is in use, and copies it here. Commits continue; the
  /// backup holds no commit that was made after it began.
  ///
  /// One file (`.vbk`) holds everything, and replaces the file that is there. A directory is made
  /// if it is missing, and keeps a point for each backup: the first holds everything, and each
  /// later one what changed since the one before. A point of another store, or of an incarnation of
  /// this one that a restore ended, is never continued: then the new point holds everything.
  ///
  /// - **Durability:** on stable storage when this returns. A backup that fails or is interrupted
  ///   by a crash leaves nothing that could be restored.
  /// - **Cost:** reads what it copies past the cache. Until it ends, extents that it needs are not
  ///   reused, so the page file may grow by what is changed during the backup.
  ///
  /// @param store one that [Store#open(Path)] returned, not a wrapper of it
  /// @return the new point
  /// @throws StoreLockedException if another backup writes to the directory
  /// @throws StoreFullException if there is no capacity in the target, or for the checkpoint
  /// @throws StoreIoException if the target cannot be written
  /// @throws CorruptStoreException if a page to be copied is damaged
  /// @throws StoreFailedException if the store has failed
  /// @throws IllegalStateException if the store is in memory, or open read-only
  public BackupPoint take(Store store, BackupOptions options) {
    Objects.requireNonNull(options, "options");
    return StoreOpener.backup(store, place, options);
  }

  /// The points that can be restored, oldest first. Files whose header is damaged are left out.
  ///
  /// @throws StoreIoException if they cannot be read
  public List<BackupPoint> points() {
    return StoreRestorer.points(place);
  }

  /// Makes a store of a point, in a directory that is missing or empty. Every byte is checked, and
  /// so is every page of what comes of them; the store is there when all of it is sound and on
  /// stable storage. It begins a life of its own: a backup of it never continues from points of the
  /// store that it came from.
  ///
  /// To a commit or time after a point the archived log leads
  /// ([io.varve.StoreOptions#archiveLog(boolean)]): the newest point before is restored, and the
  /// log after it applied. Without an archived log a commit after the point is refused, and for a
  /// time the point alone is restored: [Restored] reports how far that is. With it, a time is known
  /// to about a second. If points of several stores are there, a commit or time is one of the
  /// newest point's store.
  ///
  /// @return the point that was restored, and the last commit
  /// @throws CorruptStoreException if a file is damaged or missing; names file and offset
  /// @throws StoreKeyException if the point is encrypted and its key was not given, or it is not
  ///   and one was
  /// @throws StoreIoException if the directory is not empty, no point fits, or a file cannot be
  ///   used
  /// @throws StoreFullException if the disk has no capacity
  public Restored restore(Path directory, RestoreTo state) {
    return restore(directory, state, ProgressListener.none());
  }

  /// Makes a store as [#restore(Path, RestoreTo)] does, and reports how far it is.
  public Restored restore(Path directory, RestoreTo state, ProgressListener listener) {
    Objects.requireNonNull(state, "state");
    return StoreRestorer.restore(place, directory, state, key, listener);
  }

  /// Deletes all points but the newest ones and those that these continue from.
  ///
  /// @param count how many of the newest to keep, at least 1
  /// @return what was deleted
  /// @throws CorruptStoreException if a point that stays lacks one that it continues from
  public List<BackupPoint> prune(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count of points to keep must be 1 or more: " + count);
    }
    return StoreRestorer.prune(place, count);
  }

  @Override
  public String toString() {
    return "Backups[" + place + "]";
  }
}
