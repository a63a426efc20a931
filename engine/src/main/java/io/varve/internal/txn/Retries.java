package io.varve.internal.txn;

import io.varve.StoreFullException;
import io.varve.internal.cache.Pages;
import io.varve.internal.tree.NeededPages;

/// What a commit waits for between its attempts: pages, and capacity in the log. It waits without
/// locks. Where others beat it again and again it takes priority (PRIORITY-1).
///
/// For all threads.
final class Retries {
  /// The share of the ring from which on a commit takes priority, if others took the capacity that
  /// it had waited for. Whatever is released is enough for a small commit.
  private static final int PRIORITY_SHARE = 16;

  /// How often a commit loads what was missing before it takes priority to load: others may change
  /// its pages faster than it loads them.
  private static final int LOADS_BEFORE_PRIORITY = 4;

  private final CommitLog log;
  private final Throttle throttle;

  Retries(CommitLog log, Throttle throttle) {
    this.log = log;
    this.throttle = throttle;
  }

  /// Loads the pages that a commit lacked, or waits for capacity in the log.
  ///
  /// @param grows whether it may add to the store
  /// @param attempts of the commit before this one, all of which failed
  void await(Pages pages, NeededPages needed, long bodyBytes, boolean grows, int attempts) {
    boolean lacksPages = needed.areMissing();
    boolean withPriority =
        lacksPages
            ? needed.loads() >= LOADS_BEFORE_PRIORITY
            : attempts > 0 && bodyBytes >= log.ringBytes() / PRIORITY_SHARE;
    needed.releaseKept();
    if (withPriority || !lacksPages) {
      awaitCapacity(bodyBytes, grows, withPriority);
    } else {
      log.endPriority(); // others need not wait for these pages
    }
    if (lacksPages) {
      needed.load(pages);
    }
  }

  /// Waits for capacity in the log, without priority. A commit that frees capacity may use what is
  /// kept for it.
  void awaitCapacity(long bodyBytes, boolean grows) {
    awaitCapacity(bodyBytes, grows, /* withPriority= */ false);
  }

  private void awaitCapacity(long bodyBytes, boolean grows, boolean withPriority) {
    try {
      awaitInLog(bodyBytes, withPriority);
    } catch (StoreFullException e) {
      if (!throttle.freeLogCapacity(grows)) {
        throw e;
      }
      if (grows) {
        awaitInLog(bodyBytes, withPriority); // again: what others delete does not end the wait
      }
    }
  }

  private void awaitInLog(long bodyBytes, boolean withPriority) {
    if (withPriority) {
      log.awaitCapacityWithPriority(bodyBytes);
    } else {
      log.awaitCapacity(bodyBytes);
    }
  }
}
