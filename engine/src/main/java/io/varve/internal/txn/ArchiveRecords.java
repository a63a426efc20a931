package io.varve.internal.txn;

import io.varve.StoreFullException;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.wal.RecordSink;
import java.io.IOException;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Writes in a log that is kept what a restore to a point in time needs in addition to the commits:
/// the time, and the images of values that commits name by reference, since their extents will be
/// used for something else.
///
/// - (K1) The images of a value are in the log before the commit that names it. They are after what
///   [ValuesUnderWay#oldest()] returns until that commit has been applied. So a log that is kept
///   from there on holds every value that a commit after a checkpoint names.
///
/// Safe for threads.
public final class ArchiveRecords {
  /// The bytes of an image that one record holds: commits that wait for it wait no longer than for
  /// a value that the log holds whole.
  private static final int PIECE_BYTES = 128 << 10;

  private final Committer committer;
  private final ValuesUnderWay underWay;

  /// Makes the notes of a store.
  ///
  /// @param underWay what checkpoints look at
  public ArchiveRecords(Committer committer, ValuesUnderWay underWay) {
    this.committer = committer;
    this.underWay = underWay;
  }

  /// Records the time, if the log has capacity. Commits are shut out during that. So all commits
  /// before the record are no younger than its time, and all after it no older.
  ///
  /// @param millis gives the time, since 1970
  /// @return the LSN of the record, or [CommitOutcome#NO_CAPACITY]
  public long time(LongSupplier millis) {
    committer.gate().shut();
    try {
      long now = millis.getAsLong();
      return committer.tryApplyDefinition(
          new Note() {
            @Override
            public long bodyBytes() {
              return LogRecord.timeBytes(now);
            }

            @Override
            public void write(RecordSink sink) {
              LogRecord.time(sink, now);
            }
          });
    } finally {
      committer.gate().open();
    }
  }

  /// Writes the images of a value.
  ///
  /// @param freesLog frees capacity in the log, as [Relocator#tryMoveLarge] takes it; null if the
  ///   calling thread may wait for that
  /// @throws StoreFullException if the log has no capacity in the end
  ValueUnderWay write(PageFile file, int space, byte[] reference, @Nullable IntPredicate freesLog)
      throws IOException {
    // Before the first image: a checkpoint that misses this cuts the log before that image, too.
    ValueUnderWay value = underWay.begin(committer.log().tailLsn());
    boolean written = false;
    try {
      LargeValues.forEachImage(
          file,
          reference,
          (kind, extent, checksum) ->
              write(space, extent, file.readCompressed(extent, kind, checksum), freesLog));
      written = true;
      return value;
    } finally {
      if (!written) {
        value.ended();
      }
    }
  }

  private void write(int space, long extent, byte[] image, @Nullable IntPredicate freesLog) {
    for (int at = 0; at < image.length; at += PIECE_BYTES) {
      int offset = at;
      int length = Math.min(PIECE_BYTES, image.length - at);
      Note piece =
          new Note() {
            @Override
            public long bodyBytes() {
              return LogRecord.imagePieceBytes(space, extent, offset, length);
            }

            @Override
            public void write(RecordSink sink) {
              LogRecord.imagePiece(sink, space, extent, image, offset, length);
            }
          };
      if (freesLog == null) {
        var _ = committer.applyDefinition(piece);
      } else {
        tryWrite(piece, freesLog);
      }
    }
  }

  /// Writes a piece on a thread that waits neither for the throttle nor for the log: it is the one
  /// that frees capacity in both.
  private void tryWrite(Note piece, IntPredicate freesLog) {
    int tries = 0;
    while (committer.tryApplyDefinition(piece) == CommitOutcome.NO_CAPACITY) {
      if (!freesLog.test(tries++)) {
        throw new StoreFullException(
            "the log has no capacity for a value that is to move: pieceBytes="
                + piece.bodyBytes()
                + ", tries="
                + tries
                + "; the value stays where it is, compact again when commits are fewer");
      }
    }
  }

  /// A record that changes no tree.
  private abstract static class Note implements DefinitionChange {
    @Override
    public boolean isNote() {
      return true;
    }

    @Override
    public void apply(long epoch) {
      // Nothing to change.
    }
  }
}
