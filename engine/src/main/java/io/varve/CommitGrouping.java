package io.varve;

import java.time.Duration;

/// How commits that wait for the disk share forces of the log: which thread writes the gathered
/// commits, and when. What a commit promises does not depend on it.
///
/// The default adapts itself; the others are the classic designs, to compare with. Platform threads
/// that commit may write the log themselves. For virtual ones a thread of the store does it, since
/// a write would hold their carrier.
///
/// @since 1.0
public sealed interface CommitGrouping {
  /// The most commits that [Cooperative] waits for.
  int LIMIT_MAX = 1 << 20;

  /// The longest that [Cooperative] waits.
  Duration DELAY_MAX = Duration.ofSeconds(1);

  /// The most threads of [Flusher].
  int THREADS_MAX = 64;

  /// A write serves all commits that wait. It is held for the commits that the last one answered,
  /// while experience shows that they come back in time. No hold is longer than a write takes. The
  /// default.
  record Adaptive() implements CommitGrouping {}

  /// Every commit forces the log itself, one after the other, even if another's force covered it.
  record Each() implements CommitGrouping {}

  /// Commits queue. The one that makes them `limit`, or the first whose time is over, writes for
  /// all.
  ///
  /// @param limit how many commits are enough, 1 to [#LIMIT_MAX]
  /// @param delay how long a commit waits for others, up to [#DELAY_MAX]
  record Cooperative(int limit, Duration delay) implements CommitGrouping {
    /// Checks the limits.
    public Cooperative {
      require("limit", limit >= 1 && limit <= LIMIT_MAX, limit);
      require("delay", !delay.isNegative() && delay.compareTo(DELAY_MAX) <= 0, delay);
    }
  }

  /// Threads of the store write what has gathered as soon as they can; those that commit never do.
  ///
  /// @param threads how many, and the most writes under way at a time, 1 to [#THREADS_MAX]
  record Flusher(int threads) implements CommitGrouping {
    /// Checks the limits.
    public Flusher {
      require("threads", threads >= 1 && threads <= THREADS_MAX, threads);
    }
  }

  private static void require(String name, boolean holds, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(
          "commit grouping out of range: " + name + "=" + value + "; see CommitGrouping");
    }
  }
}
