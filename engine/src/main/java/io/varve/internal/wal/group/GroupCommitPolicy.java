package io.varve.internal.wal.group;

/// Decides which thread writes the open batch, and when: one design of group commit. A thread asks
/// again whenever a commit joins a batch and whenever a write ends, so a decision need not be
/// final.
///
/// (G1) A batch that is `flushNow`, or that nobody else would ever write, is written by a flusher.
interface GroupCommitPolicy {

  /// Threads of the log that write, at least one: it keeps the timer, too.
  int flusherCount();

  /// Whether a thread that is about to wait, or waits, is to write the open batch itself.
  ///
  /// @param others threads that write already
  /// @param gathered commits that wait for the batch, the thread's own included
  boolean callerWrites(int others, int gathered);

  /// Whether one of the log's own threads is to write the open batch.
  ///
  /// @param others threads that write already
  boolean flusherWrites(int others, Batch batch);

  /// For how long a flusher that is about to write the batch does better to wait for more commits
  /// to join; zero or less if not.
  default long holdNanos(Batch batch) {
    return 0;
  }

  /// How long a commit waits for others to join; then its thread writes, or leaves the batch to a
  /// flusher (`needsFlusher`). `Long.MAX_VALUE` where a flusher is to write as soon as it can.
  ///
  /// @param callerMayServe whether the thread that commits may write
  default long patienceNanos(boolean callerMayServe) {
    return Long.MAX_VALUE;
  }

  /// Whether each commit takes its turn to force the log by itself.
  default boolean isSeparate() {
    return false;
  }

  /// A batch for which this many commits wait is about to be written and forced.
  default void begin(int commits) {}

  /// It is forced.
  ///
  /// @param answered commits that wait for it now
  /// @param gathered commits that wait for the open batch
  /// @param nanos how long that took
  default void end(int commits, int answered, int gathered, long nanos) {}
}
