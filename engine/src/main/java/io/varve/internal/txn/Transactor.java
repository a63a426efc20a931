package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.Store;
import io.varve.TransactionBody;
import io.varve.TransactionTooLargeException;
import io.varve.internal.disk.StackProbe;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Runs the body of a transaction until it commits: concurrently with others at first, then alone
/// over the spaces that it used before, so that it always ends.
///
/// A conflict that the body's own thread caused comes again each time. It is recognized by what
/// that thread committed during the body ([OwnCommits]), or by a conflict while nobody else could
/// commit.
public final class Transactor {
  /// How often a transaction that meets a conflict runs concurrently with others, before it runs
  /// alone.
  private static final int ATTEMPTS_AMONG_OTHERS = 8;

  /// How many runs may end with a conflict of the body with its own thread. One may be by chance: a
  /// helper that makes what it finds missing does so once.
  private static final int OWN_CONFLICTS_MAX = 2;

  /// How many runs alone may end with a conflict since each used spaces that no run before it did.
  /// A body finds another transaction's spaces one by one, but few of them. One that makes an index
  /// in each run, of which the next writes the entries, would run forever.
  private static final int ALONE_RUNS_MAX = 32;

  private final Store store;
  private final Committer committer;
  private final Snapshots snapshots;
  private final ValueWriter values;
  private final TransactionMemory memory;
  private final IntFunction<@Nullable SpaceCore> spaces;

  /// Makes what runs the transactions of a store.
  ///
  /// @param spaces finds a space by its id
  public Transactor(
      Store store,
      Committer committer,
      Snapshots snapshots,
      ValueWriter values,
      TransactionMemory memory,
      IntFunction<@Nullable SpaceCore> spaces) {
    this.store = store;
    this.committer = committer;
    this.snapshots = snapshots;
    this.values = values;
    this.memory = memory;
    this.spaces = spaces;
  }

  /// Begins a transaction.
  public StoreTransaction begin() {
    committer.lifecycle().requireOpen();
    return new StoreTransaction(
        store, committer, snapshots, values, new HeldMemory(memory), spaces);
  }

  /// What came of a transaction.
  public record Outcome<T extends @Nullable Object>(Commit commit, T result) {}

  /// Runs a transaction until it commits.
  ///
  /// @param code what the user gave, for messages
  /// @throws IllegalStateException if the body keeps committing to what it reads
  /// @throws io.varve.StoreBusyException if it is to run alone, and waits too long for another
  /// @throws TransactionTooLargeException if it needs more of the heap than one may, or if others
  ///   have what it needs for too long
  @SuppressWarnings("ThreadPriorityCheck") // no rule of order depends on it
  public <T extends @Nullable Object, X extends Exception> Outcome<T> run(
      Durability durability, Object code, TransactionBody<T, X> body) throws X {
    committer.requireSupported(durability);
    StackProbe.require(); // what the body has reserved is released after it
    Set<SpaceCore> used = new HashSet<>();
    String name = code.getClass().getName();
    int ownConflicts = 0;
    int attempt = 0;
    long lackedSince = Long.MIN_VALUE;
    while (true) {
      boolean alone = attempt >= ATTEMPTS_AMONG_OTHERS;
      Attempt<T, X> run = new Attempt<>(body);
      try {
        return alone ? runAlone(run, name, used, durability) : run.commit(durability);
      } catch (ConflictException e) {
        if (!run.transaction.isOwn(e)) {
          throw e; // of another transaction that the body ran, or the body's: like all it throws
        }
        boolean usedMore = used.addAll(run.transaction.spaces());
        boolean mayEnd = usedMore && attempt < ATTEMPTS_AMONG_OTHERS + ALONE_RUNS_MAX;
        boolean own = run.conflictsWithItself() || (alone && !mayEnd);
        if (own && ++ownConflicts == OWN_CONFLICTS_MAX) {
          throw new IllegalStateException(
              "the body of a transaction commits to what the transaction reads, or changes the"
                  + " indexes of what it uses, in each run: transaction="
                  + name
                  + ", runs="
                  + (attempt + 1)
                  + "; write through the transaction that the body is given, and call nothing in"
                  + " it that commits by itself",
              e);
        }
        attempt++;
      } catch (TransactionTooLargeException e) {
        lackedSince = lackedSince == Long.MIN_VALUE ? memory.nanoTime() : lackedSince;
        if (!run.mayFitLater(e, lackedSince)) {
          throw e;
        }
      }
      Thread.yield();
    }
  }

  /// Runs alone and awaits the commit after others are let in again, so that none waits for a
  /// force.
  private <T extends @Nullable Object, X extends Exception> Outcome<T> runAlone(
      Attempt<T, X> run, String name, Set<SpaceCore> used, Durability durability) throws X {
    Outcome<T> outcome;
    try (AloneRun alone = AloneRun.begin(committer.aloneRuns(), name, used)) {
      run.transaction.reserveIn(alone);
      outcome = run.commit(committer.log().isDurable() ? Durability.BACKGROUND : Durability.NONE);
    }
    committer.await(outcome.commit.lsn(), durability);
    return outcome;
  }

  /// One run of a body.
  private final class Attempt<T extends @Nullable Object, X extends Exception> {
    private final TransactionBody<T, X> body;
    private final StoreTransaction transaction = begin();
    private @Nullable OwnCommits ownCommits;

    Attempt(TransactionBody<T, X> body) {
      this.body = body;
    }

    Outcome<T> commit(Durability durability) throws X {
      committer.lifecycle().requireOpen();
      try (transaction) {
        T result = runBody();
        return new Outcome<>(transaction.commit(durability), result);
      }
    }

    private T runBody() throws X {
      OwnCommits entered = committer.bodies().enter(transaction);
      ownCommits = entered;
      try {
        return body.apply(transaction);
      } finally {
        committer.bodies().leave(entered);
      }
    }

    /// Waits for the memory that others have, if that is why the transaction was refused its own.
    boolean mayFitLater(TransactionTooLargeException e, long sinceNanos) {
      HeldMemory held = transaction.held();
      return held.isInUseByOthers(e) && held.awaitOthers(sinceNanos, committer.lifecycle());
    }

    boolean conflictsWithItself() {
      OwnCommits own = ownCommits;
      return own != null && own.touch(transaction.reads());
    }
  }
}
