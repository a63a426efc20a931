package io.varve.internal.txn;

import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileClosedException;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.LargeValues.Capacity;
import io.varve.internal.page.LargeReference;
import io.varve.internal.tree.StoredValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.IntPredicate;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/// Makes values ready for a leaf before the commit that puts them: inline, or written to extents of
/// their own. Frees those extents if the commit is refused.
///
/// Safe for threads.
public final class ValueWriter {
  /// Values up to this length are held by the log whole, and written to the page file without a
  /// force. They are so if they take a small part of the log's ring or are up to
  /// [#LOGGED_BYTES_MIN] long; others are forced to the page file first, and the log holds the
  /// reference.
  static final int LOGGED_BYTES_MAX = 2 << 20;

  /// What the log holds whole of any commit and with any ring.
  private static final int LOGGED_BYTES_MIN = 128 << 10;

  /// The part of the log's ring that a value may take: the commits of others need capacity as well.
  private static final int RING_PART = 4;

  private final Committer committer;

  /// What goes to the log in addition to commits, or null if the log is not kept.
  private final @Nullable ArchiveRecords notes;

  /// Makes what writes the values of a store.
  ///
  /// @param notes null if the log is not kept
  public ValueWriter(Committer committer, @Nullable ArchiveRecords notes) {
    this.committer = committer;
    this.notes = notes;
  }

  /// Makes a value ready for a leaf, or rather a copy of it (KEYCOPY-1). One that is too long for
  /// the log is read once, as it is written.
  NewValue write(SpaceCore space, byte[] value) {
    byte[] own = value.length > LOGGED_BYTES_MAX ? value : value.clone();
    return space.isLarge(value.length)
        ? writeLarge(space, own, LOGGED_BYTES_MAX)
        : NewValue.inline(own);
  }

  /// Writes a value to extents of its own.
  ///
  /// @param loggedBytesMax the longest to be kept in memory until the log takes it whole; those up
  ///   to [#LOGGED_BYTES_MIN] are kept in any case
  NewValue writeLarge(SpaceCore space, byte[] value, int loggedBytesMax) {
    int max = Math.min(loggedBytesMax, committer.log().ringBytesMax() / RING_PART);
    boolean logged = value.length <= Math.max(LOGGED_BYTES_MIN, max);
    byte[] content = logged ? value : null;
    var stream = new ByteArrayInputStream(value);
    return writeLarge(space, stream, value.length, content, committer.valueCapacity(), null);
  }

  /// Writes a value to extents of its own, chunk by chunk, and forces it.
  NewValue writeLarge(SpaceCore space, InputStream value, long length) {
    return writeLarge(space, value, length, null, committer.valueCapacity(), null);
  }

  /// @param logged what the log holds; null if that is the reference
  /// @param freesLog null if the calling thread may wait for capacity in the log
  private NewValue writeLarge(
      SpaceCore space,
      InputStream value,
      long length,
      byte @Nullable [] logged,
      Capacity capacity,
      @Nullable IntPredicate freesLog) {
    StackProbe.require();
    try {
      boolean durably = logged == null && committer.log().isDurable();
      byte[] reference = space.largeValues().write(value, length, capacity, durably);
      return new NewValue(
          new StoredValue(reference, true),
          logged,
          logged == null ? noteImages(space, reference, freesLog) : null);
    } catch (LargeValues.SourceException e) {
      throw new UncheckedIOException(e.cause());
    } catch (FileClosedException e) {
      throw new StoreClosedException("the store was closed while a value was written", e);
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no capacity for the value: valueBytes="
              + length
              + ", file="
              + space.tree().pages().file().where()
              + "; nothing was changed; free capacity and try again",
          e);
    } catch (IOException e) {
      committer.log().fail(e);
      throw new StoreFailedException(
          "value write failed: file=" + space.tree().pages().file().where() + "; reopen the store",
          e);
    }
  }

  /// Writes the images of a value that a commit will name by reference in the log, if that is kept.
  private @Nullable ValueUnderWay noteImages(
      SpaceCore space, byte[] reference, @Nullable IntPredicate freesLog) throws IOException {
    ArchiveRecords kept = notes;
    if (kept == null) {
      return null;
    }
    boolean noted = false;
    try {
      ValueUnderWay value =
          kept.write(space.tree().pages().file(), space.id(), reference, freesLog);
      noted = true;
      return value;
    } finally {
      if (!noted) {
        space.largeValues().discard(reference);
      }
    }
  }

  /// Writes a large value again, to new extents, in whatever capacity there is. A thread that moves
  /// values must get them through a log without capacity for their bytes. A long one passes chunk
  /// by chunk: it may be longer than the heap holds.
  ///
  /// @param freesLog frees capacity in the log for its pieces, if that is archived
  NewValue copy(SpaceCore space, StoredValue stored, IntPredicate freesLog) {
    long length = LargeReference.length(stored.bytes(), 0);
    var file = space.tree().pages().file();
    if (length > LOGGED_BYTES_MIN) {
      return writeLarge(space, stored.open(file), length, null, Capacity.AS_IT_IS, freesLog);
    }
    byte[] value = stored.read(file);
    if (!space.isLarge(length)) {
      return NewValue.inline(value);
    }
    var stream = new ByteArrayInputStream(value);
    return writeLarge(space, stream, length, value, Capacity.AS_IT_IS, freesLog);
  }

  /// Commits one change; if it is refused, the extents of its large value are freed.
  long commit(
      SpaceCore space, OneChange change, ToLongBiFunction<SpaceCore, OneChange> committing) {
    NewValue value = change.value();
    boolean done = false;
    try {
      long commit = committing.applyAsLong(space, change);
      done = CommitOutcome.isLsn(commit);
      return commit;
    } catch (StoreFailedException e) {
      done = true; // Perhaps logged: the extents must stay as they are.
      throw e;
    } finally {
      if (value != null) {
        value.end();
        if (!done && value.stored().large()) {
          space.largeValues().discard(value.stored().bytes());
        }
      }
    }
  }
}
