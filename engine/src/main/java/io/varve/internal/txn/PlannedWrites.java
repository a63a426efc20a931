package io.varve.internal.txn;

import io.varve.internal.tree.BatchPlan;
import io.varve.internal.tree.NeededPages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The writes of one transaction in flight into the trees, space by space. Used inside the gate,
/// under the write locks of all spaces.
final class PlannedWrites {
  private final List<SpaceWrites> writes;
  private final BatchPlan[] plans;

  PlannedWrites(List<SpaceWrites> writes) {
    this.writes = writes;
    this.plans = new BatchPlan[writes.size()];
  }

  /// Finds and makes ready what the writes need.
  ///
  /// @return false if pages are missing, all of which are named then
  boolean prepare(long epoch, NeededPages needed) {
    return prepare(writes, plans, epoch, needed);
  }

  private static boolean prepare(
      List<SpaceWrites> writes, @Nullable BatchPlan[] plans, long epoch, NeededPages needed) {
    if (needed.haveBeenMissing() && !areFound(writes, needed)) {
      return false;
    }
    for (int i = 0; i < plans.length; i++) {
      plans[i] = writes.get(i).space().writer().prepare(writes.get(i), epoch, needed);
    }
    return !needed.areMissing();
  }

  /// Looks for all leaves before any is made writable, and holds them. A writable leaf may be
  /// written and leave memory before those are loaded that were missing with it. With a cache
  /// smaller than the leaves of a commit, there might always be some missing.
  private static boolean areFound(List<SpaceWrites> writes, NeededPages needed) {
    needed.keep();
    for (SpaceWrites each : writes) {
      each.space().writer().find(each, needed);
    }
    needed.keptAll();
    return !needed.areMissing();
  }

  /// Whether the spaces have the indexes that the writes were made with.
  static boolean haveSameIndexes(List<SpaceWrites> writes) {
    for (int i = 0; i < writes.size(); i++) {
      if (!writes.get(i).hasSameIndexes()) {
        return false;
      }
    }
    return true;
  }

  /// Whether the keys hold what the writes expect of them. After [#prepare].
  boolean isAsExpected() {
    for (int i = 0; i < plans.length; i++) {
      if (!writes.get(i).isAsExpected(plans[i])) {
        return false;
      }
    }
    return true;
  }

  /// Announces the changes to the watches of the spaces, before the LSN is reserved.
  void expect() {
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).tell(plans[i]);
    }
  }

  /// Makes all changes visible together: every leaf is shut before the first changes, and opened
  /// after the last has changed.
  ///
  /// @param commit the LSN
  void apply(long epoch, long commit) {
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().begin(plans[i]);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().apply(plans[i], writes.get(i), epoch);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().end(plans[i]);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().writer().tidy(writes.get(i), epoch);
    }
    for (int i = 0; i < plans.length; i++) {
      writes.get(i).space().watches().tell(commit);
    }
  }

  /// Ends what a transaction has changed before it broke off (COMMITTER-1). Makes no object.
  ///
  /// @param reserved whether its LSN is reserved
  /// @return whether the log must fail
  static boolean poison(List<SpaceWrites> writes, boolean reserved, Throwable cause) {
    boolean halfDone = reserved;
    for (int i = 0; i < writes.size(); i++) {
      halfDone |= writes.get(i).space().writer().isHalfDone();
    }
    for (int i = 0; i < writes.size(); i++) {
      SpaceCore space = writes.get(i).space();
      if (halfDone) {
        space.poison(cause);
      }
      space.writer().forget();
    }
    return halfDone;
  }
}
