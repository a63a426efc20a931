package io.varve.internal.txn;

import io.varve.internal.file.LargeAccounts;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.tree.TreeRemoval;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The trees of spaces that were dropped, until they are removed: the commit of the drop only puts
/// them here, and they are removed in parts after it.
///
/// - (DS-1) A tree is here from the commit that drops its space, until its last part is removed.
///   Both happen inside the gate. So each checkpoint names what is left of it, under [#name], and a
///   recovery continues with that; nothing of it is lost in the file.
/// - (DS-2) A part is removed as a commit changes a tree: inside the gate, in one epoch. So
///   snapshots and checkpoints of older epochs keep what they reach.
/// - (DS-3) No page is read inside the gate, nor under a lock that a commit or a checkpoint takes.
public final class DroppedSpaces {
  /// What the name starts with under which a checkpoint names a tree that is to be removed; its id
  /// follows. No space can be made with such a name.
  private static final String PREFIX = "\u0000dropped:";

  private final CommitContext commits;

  /// Held while a part is read and removed. Taken after the locks of `CapacityReclaimer`, before
  /// the gate and the monitors of nodes, as [LockOrder] defines.
  private final OrderedLock removing;

  /// Changed inside the gate.
  private final List<Dropped> trees = new CopyOnWriteArrayList<>();

  private record Dropped(SpaceCore space, TreeRemoval removal) {}

  DroppedSpaces(CommitContext commits) {
    this.commits = commits;
    this.removing = new OrderedLock(commits.gate().locks(), LockOrder.REMOVAL);
  }

  /// The name under which a checkpoint names the tree of a space that was dropped.
  public static String name(int id) {
    return PREFIX + id;
  }

  /// Whether a checkpoint names the tree of a space that was dropped so.
  public static boolean isDropped(int id, String name) {
    return name.equals(name(id));
  }

  static boolean isReserved(String name) {
    return name.startsWith(PREFIX);
  }

  /// Takes the tree of a space whose drop is being committed or recovered.
  void add(SpaceCore space) {
    trees.add(new Dropped(space, new TreeRemoval(space.tree(), space.name(), commits.epochs())));
  }

  /// The spaces whose trees are not removed yet.
  public List<SpaceCore> all() {
    return trees.stream().map(Dropped::space).toList();
  }

  public boolean isEmpty() {
    return trees.isEmpty();
  }

  /// Removes so many parts of trees, or all that there are, on the calling thread.
  ///
  /// @throws io.varve.StoreIoException if a page cannot be read; try again
  public void remove(int partsMax) {
    int parts = 0;
    while (parts < partsMax && removeNext()) {
      parts++;
    }
  }

  /// Removes the next part of a tree, on the calling thread.
  ///
  /// @return false if there is none, or the store is closed
  /// @throws io.varve.StoreIoException if a page cannot be read; try again
  public boolean removeNext() {
    removing.lock();
    try {
      if (trees.isEmpty() || commits.lifecycle().isClosed()) {
        return false;
      }
      Dropped next = trees.getFirst();
      LargeAccounts largeValues = next.space.tree().pages().largeValues();
      if (largeValues.areMany()) {
        largeValues.settle(); // no commit, and so no other thread, would see that they are
      }
      next.removal.read();
      commits.gate().enter();
      try {
        // A close shuts the gate once: nothing changes after its checkpoint.
        if (commits.lifecycle().isClosed()) {
          return false;
        }
        commits.order().noteChange();
        if (next.removal.remove(commits.epochs().current())) {
          trees.remove(next);
        }
        return true;
      } catch (RuntimeException | Error e) {
        // Half of a part may be retired: to try it again would free extents twice.
        commits.log().fail(e);
        throw e;
      } finally {
        commits.gate().exit();
      }
    } finally {
      removing.unlock();
    }
  }
}
