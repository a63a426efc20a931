package io.varve.grid.items;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An item space whose requests come one after the other, each with a commit of its own: the
/// changes of an item space are those of all its threads, and so are its commits.
///
/// - SERVED-1 While the lock is free, no change waits for a commit. So a request sees, and commits,
///   whole requests.
/// - SERVED-2 A request is answered when what it has seen is as durable as the store promises.
///   Nobody waits for the disk under the lock, so those that wait share its forces (fsync).
final class ServedItems {
  private final ItemSpace items;
  private final Durability durability;
  private final ReentrantLock lock = new ReentrantLock();

  /// The newest commit of this space since it was opened. Guarded by the lock.
  private @Nullable Commit newest;

  ServedItems(ItemSpace items) {
    this.items = items;
    this.durability = items.store().options().durability();
  }

  String name() {
    return items.name();
  }

  /// The state of now. Close it.
  ItemSnapshot snapshot() {
    ItemSnapshot snapshot;
    Commit seen;
    lock.lock();
    try {
      snapshot = items.snapshot();
      seen = newest;
    } finally {
      lock.unlock();
    }
    try {
      await(seen);
    } catch (RuntimeException e) {
      snapshot.close();
      throw e;
    }
    return snapshot;
  }

  /// Makes a change, and commits it if it has changed anything. Nothing of it is left if it fails.
  ///
  /// @throws io.varve.StoreFullException if the disk has no capacity; nothing was changed
  Outcome change(Function<ItemSpace, Outcome> change) {
    Outcome outcome;
    Commit seen;
    lock.lock();
    try {
      outcome = changeAndCommit(change);
      seen = newest;
    } finally {
      lock.unlock();
    }
    await(seen);
    return outcome;
  }

  private Outcome changeAndCommit(Function<ItemSpace, Outcome> change) {
    boolean isCommitted = false;
    try {
      Outcome outcome = change.apply(items);
      if (outcome.changed() > 0) {
        newest =
            items.commit(durability == Durability.POWER_LOSS ? Durability.BACKGROUND : durability);
      }
      isCommitted = true;
      return outcome;
    } finally {
      if (!isCommitted) {
        items.rollback(); // SERVED-1
      }
    }
  }

  private void await(@Nullable Commit seen) {
    if (seen != null && durability == Durability.POWER_LOSS) {
      items.store().awaitDurable(seen); // SERVED-2
    }
  }
}
