package io.varve.test.simulation;

import io.varve.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// The items of a store since it was last found whole: the changes in their order, and between
/// which of them each commit came.
///
/// *State* `k` is after the first `k` changes. Changes are made one after the other, commits
/// concurrent with them. So a commit is known to have all changes that had ended when it was asked
/// for. It has none that began after it returned; its state is one between.
final class ItemHistory {
  /// The space of the items; those of its layers continue with a suffix.
  static final String SPACE = "items";

  /// What the items were when the store was found whole.
  private NavigableSet<Item> base = new TreeSet<>();

  private final List<Consumer<NavigableSet<Item>>> changes = new ArrayList<>();

  /// What the items are after the changes that have ended.
  private NavigableSet<Item> now = new TreeSet<>();

  /// Whether the last change has begun and not ended.
  private boolean changing;

  /// Whether that change is a rollback: then it is not known what the items are.
  private boolean rollingBack;

  /// Commits that there were, or may have been.
  private final List<Commit> commits = new ArrayList<>();

  /// The last state that may have survived, as commits show that did not.
  private int lastState = Integer.MAX_VALUE;

  /// Whether a commit that was asked for may not have begun yet: its thread may stop between.
  private final boolean stopsAnywhere;

  /// Whether it is not known what the items are, and so no thread may use them.
  private boolean lost;

  /// A call that commits.
  static final class Commit {
    private final int from;
    private int to = Integer.MAX_VALUE;

    /// The commit is in a store whose last commit is at or after `highLsn`, and is not in one whose
    /// last is before `lowLsn`.
    private long lowLsn;

    private long highLsn = Long.MAX_VALUE;

    /// Whether this was under way while a rollback was, and so may hold what was there before it or
    /// after it.
    private boolean duringRollback;

    /// Whether a rollback that began after it took changes of it.
    private boolean overtaken;

    /// Whether it is known to have survived.
    private boolean survived;

    private Commit(int from, boolean duringRollback) {
      this.from = from;
      this.duringRollback = duringRollback;
    }

    private boolean isOf(int state) {
      return state >= from && state <= to;
    }

    private boolean isDone() {
      return highLsn != Long.MAX_VALUE;
    }
  }

  ItemHistory(boolean stopsAnywhere) {
    this.stopsAnywhere = stopsAnywhere;
  }

  boolean isLost() {
    return lost;
  }

  /// Notes that a change continued in a way that cannot be found out.
  void lose() {
    lost = true;
  }

  // --- changes --------------------------------------------------------------------------------

  /// A change begins. No other is under way.
  void begin(Consumer<NavigableSet<Item>> change) {
    if (changing) {
      throw new IllegalStateException("two changes of items concurrently");
    }
    changes.add(change);
    changing = true;
  }

  /// The change that began has ended.
  void end() {
    changes.getLast().accept(now);
    changing = false;
  }

  /// A rollback begins. No change is under way.
  void beginRollback() {
    begin(_ -> {}); // until it is known to what
    rollingBack = true;
    if (stopsAnywhere) {
      commits.forEach(commit -> commit.duringRollback |= !commit.isDone());
    }
  }

  /// The change that began had no effect.
  void forget() {
    changes.set(changes.size() - 1, _ -> {});
    changing = false;
  }

  /// The state of the last change that has ended.
  int ended() {
    return changes.size() - (changing ? 1 : 0);
  }

  /// The state of the last change that has begun.
  int begun() {
    return changes.size();
  }

  // --- commits --------------------------------------------------------------------------------

  /// The commits up to now.
  List<Commit> commits() {
    return List.copyOf(commits);
  }

  /// A thread asks for a commit.
  Commit ask() {
    Commit commit = new Commit(ended(), rollingBack);
    commits.add(commit);
    return commit;
  }

  /// A commit returned.
  void done(Commit commit, long lowLsn, long highLsn) {
    if (commit.overtaken) {
      throw new AssertionError(
          "a rollback took the changes of a commit that was asked for before it");
    }
    commit.to = begun();
    commit.lowLsn = lowLsn;
    commit.highLsn = highLsn;
  }

  /// A commit failed, and may have come about all the same.
  void failed(Commit commit) {
    commit.to = begun();
  }

  /// A commit was refused: it has not come about.
  void refused(Commit commit) {
    commits.remove(commit);
  }

  // --- checks ---------------------------------------------------------------------------------

  /// A state, and what the items were then.
  record State(int number, NavigableSet<Item> items) {}

  /// The state of the last change that has ended.
  State now() {
    return new State(ended(), new TreeSet<>(now));
  }

  /// Whether the items satisfied `test` at some time since then, or would after the change that is
  /// under way.
  boolean wasSince(State state, Predicate<NavigableSet<Item>> test) {
    NavigableSet<Item> items = new TreeSet<>(state.items);
    boolean was = test.test(items);
    for (int i = state.number; i < changes.size() && !was; i++) {
      changes.get(i).accept(items);
      was = test.test(items);
    }
    return was;
  }

  private boolean anyState(IntPredicate states, Predicate<NavigableSet<Item>> test) {
    NavigableSet<Item> items = new TreeSet<>(base);
    for (int state = 0; state <= changes.size(); state++) {
      if (state > 0) {
        changes.get(state - 1).accept(items);
      }
      if (states.test(state) && test.test(items)) {
        return true;
      }
    }
    return false;
  }

  /// The change that began was a rollback, which has ended. Requires that it left the items of a
  /// commit, and took nothing from those that had been asked for before.
  ///
  /// @param found the items now
  /// @param before the commits when it began
  void rolledBack(NavigableSet<Item> found, List<Commit> before) {
    int last = ended();
    int least =
        before.stream()
            .filter(commit -> commit.isDone() && !(stopsAnywhere && commit.duringRollback))
            .mapToInt(commit -> commit.from)
            .max()
            .orElse(0);
    requireAtCommit(found, least, last, "after a rollback");
    boolean taken = !stopsAnywhere && !now.equals(found);
    for (Commit commit : before) {
      // One that is under way holds all up to now, or will not come about.
      commit.overtaken |= taken && commit.from == last && !commit.isDone();
    }
    changes.set(
        last,
        items -> {
          items.clear();
          items.addAll(found);
        });
    end();
    rollingBack = false;
  }

  private void requireAtCommit(NavigableSet<Item> found, int least, int most, String when) {
    IntPredicate committed =
        state -> state == 0 || commits.stream().anyMatch(commit -> commit.isOf(state));
    if (anyState(
        state -> state >= least && state <= most && committed.test(state), found::equals)) {
      return;
    }
    String what =
        anyState(state -> state < least && committed.test(state), found::equals)
            ? "a commit of items is lost (D2)"
            : anyState(_ -> true, found::equals)
                ? "items are there that no commit left so"
                : "items are those of no state (D1)";
    throw new AssertionError(
        "%s: %s, found=%d, changes=%d, least=%d, most=%d"
            .formatted(what, when, found.size(), changes.size(), least, most));
  }

  /// Notes which commits the store holds that was opened.
  ///
  /// @param namedLsn the last commit that it names
  void recovered(long namedLsn) {
    for (Commit commit : List.copyOf(commits)) {
      if (!commit.survived && commit.lowLsn > namedLsn) {
        lastState = Math.min(lastState, commit.to);
        commits.remove(commit);
      } else if (commit.highLsn <= namedLsn) {
        commit.survived = true;
      }
    }
  }

  /// Requires that these are the items of the last commit that the store holds which was opened,
  /// and continues from there.
  void settle(NavigableSet<Item> found) {
    int least =
        commits.stream()
            .filter(commit -> commit.survived && !(rollingBack && commit.duringRollback))
            .mapToInt(commit -> commit.from)
            .max()
            .orElse(0);
    requireAtCommit(found, least, Math.min(lastState, changes.size()), "after an open");
    base = new TreeSet<>(found);
    now = new TreeSet<>(found);
    rollingBack = false;
    changes.clear();
    changing = false;
    commits.clear();
    lastState = Integer.MAX_VALUE;
    lost = false;
  }
}
