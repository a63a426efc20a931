package io.varve.internal.wal;

import io.varve.CommitGrouping;

/// Who writes the open batch, and when: one design of group commit. What a thread asks is asked
/// again whenever a commit joins a batch and whenever a write ends, so a decision need not be
/// final.
///
/// (G1) A batch that is `urgent`, or that nobody else would ever write, is written by a flusher.
sealed interface Grouping permits Pace, EachForItself, Cooperation, Flushers {

  /// Threads of the log that write, at least one: it keeps the timer, too.
  int flusherCount();

  /// Whether a thread that is about to wait, or waits, is to write the open batch itself.
  ///
  /// @param others who write already
  /// @param gathered commits that wait for the batch, the thread's own included
  boolean callerWrites(int others, int gathered);

  /// Whether one of the log's own threads is to write the open batch.
  ///
  /// @param others who write already
  boolean flusherWrites(int others, Batch batch);

  /// How long a commit waits for others to join; then its thread writes, or has a flusher write.
  /// `Long.MAX_VALUE` where somebody is sure to write before.
  default long patienceNanos() {
    return Long.MAX_VALUE;
  }

  /// Whether each commit takes its turn to force the log by itself.
  default boolean isEachForItself() {
    return false;
  }

  /// A batch for which this many commits wait is about to be written.
  default void begin(int commits) {}

  /// It is written.
  default void end(int commits) {}

  static Grouping of(LogOptions options) {
    return switch (options.mode().grouping()) {
      case CommitGrouping.Adaptive() -> new Pace(options.flusherCount());
      case CommitGrouping.Each() -> new EachForItself();
      case CommitGrouping.Cooperative(int limit, var delay) ->
          new Cooperation(limit, delay.toNanos());
      case CommitGrouping.Flusher(int threads) -> new Flushers(threads);
    };
  }
}
