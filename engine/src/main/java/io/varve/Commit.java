package io.varve;

/// A commit, as its position in the commit order of its store. Writes that return no other value
/// return it. [Store#awaitDurable(Commit)] waits for it, [io.varve.admin.RestoreTo#commit(Commit)]
/// restores the state that it left.
///
/// Commits of one store, over all of its spaces, are equal if they are the same commit, and compare
/// as they were applied. Commits of two stores must not be compared.
///
/// To store a commit elsewhere, store [#lsn()], in 8 bytes or as a decimal number, and read it back
/// by `new Commit(lsn)`. The number stays valid when the store is closed and opened again, and in
/// its backups.
///
/// Immutable, and so safe for any number of threads.
///
/// @param lsn the log sequence number: the offset in bytes at which the record of the commit ends
///   in the log of its store; 0 before the first commit
/// @since 1.0
public record Commit(long lsn) implements Comparable<Commit> {
  /// Makes a commit of a number that [#lsn()] returned.
  ///
  /// @throws IllegalArgumentException if `lsn` is negative
  public Commit {
    if (lsn < 0) {
      throw new IllegalArgumentException("LSN of a commit is negative: lsn=" + lsn);
    }
  }

  /// Whether this was applied before `other`.
  public boolean isBefore(Commit other) {
    return lsn < other.lsn;
  }

  /// Whether this was applied after `other`.
  public boolean isAfter(Commit other) {
    return lsn > other.lsn;
  }

  @Override
  public int compareTo(Commit other) {
    return Long.compare(lsn, other.lsn);
  }
}
