package io.varve.internal.wal.format;

/// A position in the log that a checkpoint remembers: recovery replays what follows it.
///
/// @param lsn the boundary between commits inside and commits after the checkpoint
/// @param generation the life of the log that the boundary belongs to
/// @param mayEnd whether a log that holds nothing from here on is complete, rather than lost: true
///   of a new store, of a store closed cleanly, and when nothing was appended in this generation
public record LogPosition(long lsn, int generation, boolean mayEnd) {

  /// Where the log of a new store starts.
  public static final LogPosition ORIGIN = new LogPosition(0, 0, true);

  /// This position, for a final checkpoint after which the log is discarded.
  public LogPosition atCleanClose() {
    return new LogPosition(lsn, generation, true);
  }
}
