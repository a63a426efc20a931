package io.varve.internal.txn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A transaction that runs alone over the spaces that it has reserved.
///
/// For the thread that runs it.
public final class AloneRun implements AutoCloseable {
  private final AloneRuns runs;
  private final AloneOwner owner;
  private final Set<SpaceCore> included = new HashSet<>();
  private final List<WriteLock> reserved = new ArrayList<>();

  private AloneRun(AloneRuns runs, AloneOwner owner) {
    this.runs = runs;
    this.owner = owner;
  }

  /// Reserves spaces for a transaction of the calling thread, once nobody else has them reserved.
  ///
  /// @param body what the transaction runs, for messages
  /// @throws io.varve.StoreBusyException if that takes too long
  static AloneRun begin(AloneRuns runs, String body, Collection<SpaceCore> spaces) {
    List<SpaceCore> inOrder =
        spaces.stream().sorted(Comparator.comparingInt(SpaceCore::id)).toList();
    AloneRun run = new AloneRun(runs, runs.owner(body));
    boolean begun = false;
    try {
      inOrder.forEach(run::await);
      begun = true;
      return run;
    } finally {
      if (!begun) {
        run.close();
      }
    }
  }

  /// Reserves a space before the body runs, and waits for it. Called in the order of ids, so that
  /// no two transactions wait for each other. The entries of an index have a higher id than the
  /// space.
  ///
  /// @throws io.varve.StoreBusyException if that takes too long
  public void await(SpaceCore space) {
    while (!include(space)) {
      runs.awaitFree(space.writeLock());
    }
  }

  /// Reserves a space that the body uses for the first time.
  ///
  /// @return false if another transaction has it: a wait here could be for one that waits for this,
  ///   so the body is to run again, with this space among those reserved before
  @SuppressWarnings("ReferenceEquality") // owners
  boolean include(SpaceCore space) {
    if (included.contains(space)) {
      return true;
    }
    WriteLock lock = space.writeLock();
    reserved.add(lock); // before: a reservation that nobody knows of would never end
    AloneOwner present = lock.reserve(owner);
    if (present != owner) {
      reserved.removeLast();
    }
    return present.isCaller() && included.add(space);
  }

  /// Lets the others commit again.
  @Override
  public void close() {
    for (int i = 0; i < reserved.size(); i++) {
      reserved.get(i).release(owner);
    }
    runs.wakeAll();
  }
}
