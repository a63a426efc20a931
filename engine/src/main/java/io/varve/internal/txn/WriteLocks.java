package io.varve.internal.txn;

import java.util.List;

/// Takes and releases the write locks of several spaces, which are in the order of their ids.
final class WriteLocks {
  private WriteLocks() {}

  /// Takes the locks, unless another thread has reserved one of the spaces.
  ///
  /// @return false if one has: then none is locked (ALONE-2)
  static boolean lockAll(List<SpaceCore> lockOrder) {
    for (int i = 0; i < lockOrder.size(); i++) {
      if (!lockOrder.get(i).writeLock().lock()) {
        unlock(lockOrder, i);
        return false;
      }
    }
    return true;
  }

  static void unlockAll(List<SpaceCore> lockOrder) {
    unlock(lockOrder, lockOrder.size());
  }

  /// Makes no object: it must work where a lack of memory ended the commit.
  private static void unlock(List<SpaceCore> lockOrder, int count) {
    for (int i = count - 1; i >= 0; i--) {
      lockOrder.get(i).writeLock().unlock();
    }
  }
}
