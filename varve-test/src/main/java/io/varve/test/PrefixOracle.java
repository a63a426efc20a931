package io.varve.test;

import io.varve.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Decides whether what a store holds after a crash is right: the result of a prefix of the commit
/// order (D2) of whole commits (D1) that leaves out none that was acknowledged (D3).
///
/// Each thread that commits has a [TrackedWriter] and notifies it of every commit before and after:
///
/// ```java
/// TrackedWriter writer = oracle.writer("w1/");
/// TrackedCommit commit = writer.begin(List.of(new Change.Put("users", key, value)));
/// long lsn = users.put(key, value);
/// commit.acknowledged(lsn, Durability.POWER_LOSS);
/// ```
///
/// The keys that start with a writer's prefix are its own: no other writer changes them, in any
/// space, and each of its commits changes them somehow. They show how many of its commits survived.
/// All other keys are shared. The commit order is known from the LSNs that were returned; a commit
/// under way when the crash came may be anywhere that the order of calls allows. A single writer
/// may have the empty prefix and so own everything; then its commits may change anything.
///
/// Safe for any number of threads.
public final class PrefixOracle {
  private final TrackedCommit.Notes notes =
      new TrackedCommit.Notes() {
        @Override
        public void run(Runnable note) {
          synchronized (PrefixOracle.this) {
            note.run();
          }
        }

        @Override
        public long tick() {
          return time++;
        }
      };

  private final List<TrackedWriter> writers = new ArrayList<>();
  private Model base = new Model();
  private long baseLsn = TrackedCommit.UNKNOWN;
  private long durableLsn = TrackedCommit.UNKNOWN;
  private long time;

  /// Makes an oracle for a store that is empty.
  public PrefixOracle() {}

  /// Adds a writer.
  ///
  /// @param prefix what its own keys start with; no prefix of another writer's
  public synchronized TrackedWriter writer(String prefix) {
    for (TrackedWriter other : writers) {
      if (other.prefix().startsWith(prefix) || prefix.startsWith(other.prefix())) {
        throw new IllegalArgumentException(
            "prefixes overlap: prefix='%s', other='%s'".formatted(prefix, other.prefix()));
      }
    }
    TrackedWriter writer = new TrackedWriter(notes, prefix);
    writers.add(writer);
    return writer;
  }

  /// Notes that the store promised a commit, and so all before it, to survive any crash.
  ///
  /// @param lsn the LSN of the commit
  public synchronized void durable(long lsn) {
    durableLsn = Math.max(durableLsn, lsn);
  }

  /// Checks what was recovered, and takes it as the start of what follows: the commits so far are
  /// settled, and what the store showed once must not go away later.
  ///
  /// @param recovered all that the store holds after it was opened again
  /// @param crash what had happened to it
  /// @return the number of commits that survived
  /// @throws AssertionError if it is not the result of a prefix of the commit order, or one that
  ///   leaves out an acknowledged commit
  public synchronized int settle(Model recovered, Crash crash) {
    Outcome outcome = outcome(recovered, crash);
    base = recovered.copy();
    baseLsn = outcome.certain.stream().mapToLong(TrackedCommit::lsn).reduce(baseLsn, Math::max);
    durableLsn = TrackedCommit.UNKNOWN;
    writers.forEach(TrackedWriter::clear);
    return outcome.survivors.size();
  }

  /// Checks what was recovered and settles nothing: the next check is of another crash of the same
  /// store at the same time, or later.
  ///
  /// @param recovered all that the store holds after it was opened again
  /// @param crash what had happened to it
  /// @return the number of commits that survived
  /// @throws AssertionError as [#settle]
  public synchronized int check(Model recovered, Crash crash) {
    return outcome(recovered, crash).survivors.size();
  }

  /// @param survivors commits that may have survived, in the order of their writers
  /// @param certain those of them that must have, since what was found shows them
  private record Outcome(List<TrackedCommit> survivors, List<TrackedCommit> certain) {}

  private Outcome outcome(Model recovered, Crash crash) {
    List<TrackedCommit> survivors = new ArrayList<>();
    List<TrackedCommit> lost = new ArrayList<>();
    List<TrackedCommit> certain = new ArrayList<>();
    for (TrackedWriter writer : writers) {
      TrackedWriter.Survivors count = writer.survivors(base, recovered);
      List<TrackedCommit> commits = writer.commits();
      certain.addAll(commits.subList(0, count.least()));
      survivors.addAll(commits.subList(0, count.most()));
      lost.addAll(commits.subList(count.most(), commits.size()));
    }
    survivors.removeIf(TrackedCommit::isRefused);
    lost.removeIf(TrackedCommit::isRefused);
    requireAcknowledged(lost, crash);
    requirePrefix(survivors, lost);
    requireOrder(survivors);
    List<Range> own = writers.stream().map(TrackedWriter::keys).toList();
    new CommitOrder(survivors, own).requireGives(base, recovered);
    return new Outcome(survivors, certain);
  }

  private void requireAcknowledged(List<TrackedCommit> lost, Crash crash) {
    for (TrackedCommit commit : lost) {
      boolean promised = commit.hasLsn() && commit.lsn() <= durableLsn;
      if (promised || commit.mustSurvive(crash)) {
        throw new AssertionError(
            "acknowledged commit is lost (D3): crash=" + crash + ", " + commit);
      }
    }
  }

  private static void requirePrefix(List<TrackedCommit> survivors, List<TrackedCommit> lost) {
    for (TrackedCommit gone : lost) {
      for (TrackedCommit there : survivors) {
        if (gone.isBefore(there)) {
          throw new AssertionError(
              "a commit survived and an earlier one did not (D2): earlier=%s, later=%s"
                  .formatted(gone, there));
        }
      }
    }
  }

  /// The LSNs returned must agree with the order of calls: a commit that began after another had
  /// returned comes later.
  private void requireOrder(List<TrackedCommit> survivors) {
    List<TrackedCommit> ordered = new ArrayList<>(survivors);
    ordered.removeIf(commit -> !commit.hasLsn());
    ordered.sort(Comparator.comparingLong(TrackedCommit::lsn));
    Set<Long> seen = new HashSet<>();
    TrackedCommit latestBegun = null;
    for (TrackedCommit commit : ordered) {
      if (!seen.add(commit.lsn())) {
        throw new AssertionError("two commits have one LSN: " + commit);
      }
      if (commit.lsn() <= baseLsn) {
        throw new AssertionError(
            "LSN was in use before the store was reopened: baseLsn=" + baseLsn + ", " + commit);
      }
      if (latestBegun != null && !latestBegun.mayPrecede(commit)) {
        throw new AssertionError(
            "LSNs contradict the order of calls: first=%s, then=%s".formatted(commit, latestBegun));
      }
      if (latestBegun == null || commit.begunAt() > latestBegun.begunAt()) {
        latestBegun = commit;
      }
    }
  }
}
