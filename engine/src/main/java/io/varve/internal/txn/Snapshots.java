package io.varve.internal.txn;

import io.varve.Durability;
import io.varve.Statistics.OpenSnapshot;
import io.varve.Store;
import io.varve.Visibility;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.tree.Epochs;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Takes snapshots: closes the current epoch between two commits, unless nothing was committed
/// since it began, and holds the epoch closed last.
public final class Snapshots {
  private final Store store;
  private final CommitContext commits;
  private final Epochs epochs;
  private final Clock clock;
  private final boolean recordsOrigins;
  private final OrderedLock lock;
  private final Consumer<StoreSnapshot> closing = this::closed;
  private final Set<StoreSnapshot> open = ConcurrentHashMap.newKeySet();

  /// The commit that the epoch closed last ends with. Guarded by the lock.
  private long closedLsn;

  /// Makes the source of snapshots of a store.
  ///
  /// @param recordsOrigins whether to note which code took a snapshot
  public Snapshots(Store store, CommitContext commits, Clock clock, boolean recordsOrigins) {
    this.store = store;
    this.clock = clock;
    this.recordsOrigins = recordsOrigins;
    this.commits = commits;
    this.epochs = commits.epochs();
    this.lock = new OrderedLock(commits.gate().locks(), LockOrder.SNAPSHOTS);
  }

  CommitContext commits() {
    return commits;
  }

  /// The epochs that snapshots hold.
  public Epochs epochs() {
    return epochs;
  }

  /// Takes a snapshot of what is applied, or of what would survive loss of power.
  public StoreSnapshot take(Visibility visibility) {
    commits.lifecycle().requireOpen();
    StackProbe.require();
    return open(closedEpoch(() -> {}), visibility);
  }

  /// Takes a snapshot of an epoch that is closed for it.
  ///
  /// @param whileShut run after the last commit that it shows, and before the next one
  StoreSnapshot take(Visibility visibility, Runnable whileShut) {
    commits.lifecycle().requireOpen();
    StackProbe.require();
    return open(closeEpoch(whileShut), visibility);
  }

  private StoreSnapshot open(ClosedEpoch closed, Visibility visibility) {
    StoreSnapshot snapshot = open(closed);
    if (visibility == Visibility.DURABLE) {
      awaitDurable(snapshot);
    }
    return snapshot;
  }

  /// A snapshot that holds the epoch from now on; if there is none, nobody does.
  private StoreSnapshot open(ClosedEpoch closed) {
    boolean opened = false;
    try {
      StoreSnapshot snapshot =
          new StoreSnapshot(
              store,
              closing,
              clock,
              recordsOrigins ? CallSite.ofCaller() : null,
              new HeldEpoch(commits.lifecycle(), closed.epoch()),
              closed.lsn());
      opened = open.add(snapshot);
      return snapshot;
    } finally {
      if (!opened) {
        epochs.release(closed.epoch());
      }
    }
  }

  private void awaitDurable(StoreSnapshot snapshot) {
    boolean durable = false;
    try {
      commits.log().await(snapshot.lastCommit().lsn(), Durability.POWER_LOSS);
      durable = true;
    } finally {
      if (!durable) {
        snapshot.close();
      }
    }
  }

  /// A place between two commits.
  ///
  /// @param epoch the epoch closed last there; held
  /// @param lsn the last commit before it
  public record ClosedEpoch(long epoch, long lsn) {}

  /// Holds the state after the newest commit; closes the epoch if there were commits in it.
  ClosedEpoch closedEpoch(Runnable whileShut) {
    lock.lock();
    try {
      long closed = epochs.current() - 1;
      // Held before the look at the flag, and a commit raises the flag before it looks at what is
      // held: so either this sees the commit, or the commit keeps the roots of this epoch.
      epochs.hold(closed);
      if (!commits.order().changedInEpoch()) {
        return new ClosedEpoch(closed, closedLsn);
      }
      epochs.release(closed);
      return close(whileShut);
    } finally {
      lock.unlock();
    }
  }

  /// Closes the epoch, changed or not, and holds it.
  ///
  /// @param whileShut run while commits are shut out; must be short
  public ClosedEpoch closeEpoch(Runnable whileShut) {
    lock.lock();
    try {
      return close(whileShut);
    } finally {
      lock.unlock();
    }
  }

  private ClosedEpoch close(Runnable whileShut) {
    commits.gate().shut();
    try {
      long epoch = epochs.current();
      epochs.hold(epoch);
      boolean closed = false;
      try {
        epochs.close();
        commits.order().epochBegins();
        closedLsn = commits.order().lastCommit();
        whileShut.run();
        ClosedEpoch result = new ClosedEpoch(epoch, closedLsn);
        closed = true;
        return result;
      } finally {
        if (!closed) {
          epochs.release(epoch); // nobody else would, and what it shows would never be freed
        }
      }
    } finally {
      commits.gate().open();
    }
  }

  /// Releases an epoch that was closed.
  public void release(long epoch) {
    epochs.release(epoch);
  }

  private void closed(StoreSnapshot snapshot) {
    if (open.remove(snapshot)) {
      epochs.release(snapshot.epoch());
    }
  }

  /// The snapshots that are open, oldest first.
  public List<OpenSnapshot> list() {
    return open.stream()
        .sorted((a, b) -> Long.compare(a.epoch(), b.epoch()))
        .map(StoreSnapshot::describe)
        .toList();
  }

  /// Closes every snapshot.
  public void closeAll() {
    open.forEach(StoreSnapshot::close);
  }
}
