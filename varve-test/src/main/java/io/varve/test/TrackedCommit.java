package io.varve.test;

import io.varve.Durability;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One commit as its [PrefixOracle] knows it: begun, perhaps applied, perhaps acknowledged.
///
/// Guarded by the oracle.
public final class TrackedCommit implements CommitOutcome {
  static final long UNKNOWN = Long.MIN_VALUE;

  /// The time of what has not happened: after everything that has.
  static final long NEVER = Long.MAX_VALUE;

  private final Notes notes;
  private final String prefix;
  private final int number;
  private final List<Change> changes;
  private final long begunAt;
  private long appliedAt = NEVER;
  private long lsn = UNKNOWN;
  private boolean refused;
  private @Nullable Durability acknowledged;

  /// What an oracle notes, one thing at a time.
  interface Notes {
    /// Runs what notes something.
    void run(Runnable note);

    /// The next instant of the order of calls; for what is run.
    long tick();
  }

  /// @param prefix of its writer
  TrackedCommit(Notes notes, String prefix, int number, List<Change> changes, long begunAt) {
    this.notes = notes;
    this.prefix = prefix;
    this.number = number;
    this.changes = List.copyOf(changes);
    this.begunAt = begunAt;
  }

  @Override
  public void applied() {
    notes.run(this::noteApplied);
  }

  @Override
  public void acknowledged(long commit, Durability durability) {
    notes.run(() -> {
      noteApplied();
      lsn = commit;
      acknowledged = durability;
    });
  }

  @Override
  public void acknowledged(Durability durability) {
    notes.run(() -> {
      noteApplied();
      acknowledged = durability;
    });
  }

  @Override
  public void refused() {
    notes.run(() -> refused = true);
  }

  private void noteApplied() {
    if (appliedAt == NEVER) {
      appliedAt = notes.tick();
    }
  }

  List<Change> changes() {
    return changes;
  }

  boolean isRefused() {
    return refused;
  }

  boolean hasLsn() {
    return lsn != UNKNOWN;
  }

  long lsn() {
    return lsn;
  }

  boolean mustSurvive(Crash crash) {
    return acknowledged != null && crash.keeps(acknowledged);
  }

  /// Whether the calls do not show that `other` was applied first.
  boolean mayPrecede(TrackedCommit other) {
    return other.appliedAt >= begunAt;
  }

  /// Whether this commit certainly comes before `other` in the commit order.
  boolean isBefore(TrackedCommit other) {
    return (hasLsn() && other.hasLsn()) ? lsn < other.lsn : !other.mayPrecede(this);
  }

  long begunAt() {
    return begunAt;
  }

  @Override
  public String toString() {
    return "commit[writer='%s', number=%d, lsn=%s, acknowledged=%s, changes=%d]"
        .formatted(
            prefix,
            number,
            hasLsn() ? Long.toString(lsn) : "unknown",
            acknowledged == null ? "no" : acknowledged,
            changes.size());
  }
}
