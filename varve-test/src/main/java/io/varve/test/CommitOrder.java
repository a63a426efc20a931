package io.varve.test;

import io.varve.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The orders in which commits may have been applied to the keys that several writers share: those
/// of known LSN by it, the others, which were under way when the crash came, wherever the order of
/// calls allows.
final class CommitOrder {
  /// Orders tried at most. A few writers with a commit under way each give some hundreds; a history
  /// with more is badly made, and is refused instead of running for hours.
  private static final int TRIALS_MAX = 100_000;

  private final List<Range> ownKeys;
  private final List<TrackedCommit> order = new ArrayList<>();
  private final List<TrackedCommit> floating = new ArrayList<>();
  private int trials;

  /// @param commits those whose order is asked for
  /// @param ownKeys the keys of each writer alone; all others are shared
  CommitOrder(List<TrackedCommit> commits, List<Range> ownKeys) {
    this.ownKeys = List.copyOf(ownKeys);
    for (TrackedCommit commit : commits) {
      if (commit.changes().stream().anyMatch(this::isShared)) {
        (commit.hasLsn() ? order : floating).add(commit);
      }
    }
    order.sort(Comparator.comparingLong(TrackedCommit::lsn));
    floating.sort(Comparator.comparingLong(TrackedCommit::begunAt));
  }

  /// Throws unless one of the orders, applied to `base`, gives `recovered`, in all shared keys.
  void requireGives(Model base, Model recovered) {
    Model start = base.filter(this::isShared);
    Model end = recovered.filter(this::isShared);
    if (!place(0, start, end)) {
      throw new AssertionError(
          "no order of the survivors gives what is found of shared keys (D1, D2): commits=%d, %s; %s"
              .formatted(
                  order.size(), floating, String.join("; ", result(start).differences(end))));
    }
  }

  /// Puts the commit under way with this index, and those after it, wherever they may be.
  private boolean place(int index, Model start, Model end) {
    if (index == floating.size()) {
      if (++trials > TRIALS_MAX) {
        throw new AssertionError("too many orders to try: underWay=" + floating.size());
      }
      return result(start).digest() == end.digest();
    }
    TrackedCommit commit = floating.get(index);
    for (int at = order.size(); at >= 0; at--) {
      if (fits(commit, at)) {
        order.add(at, commit);
        boolean found = place(index + 1, start, end);
        order.remove(at);
        if (found) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether a commit may be here by the order of calls.
  private boolean fits(TrackedCommit commit, int at) {
    for (int i = 0; i < order.size(); i++) {
      TrackedCommit other = order.get(i);
      if (i < at ? !other.mayPrecede(commit) : !commit.mayPrecede(other)) {
        return false;
      }
    }
    return true;
  }

  private Model result(Model start) {
    Model result = start.copy();
    for (TrackedCommit commit : order) {
      commit.changes().stream().filter(this::isShared).forEach(result::apply);
    }
    return result;
  }

  private boolean isShared(Change change) {
    return ownKeys.stream().noneMatch(change::isWithin);
  }

  private boolean isShared(byte[] key) {
    return ownKeys.stream().noneMatch(keys -> keys.contains(key));
  }
}
