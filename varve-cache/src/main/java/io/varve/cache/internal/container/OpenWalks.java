package io.varve.cache.internal.container;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/// The walks over the keys of a cache that may not have ended: a thread that takes an entry out of
/// its page notifies them first. A walk that no thread refers to is forgotten.
///
/// (W1) A walk is added before it looks at the heap, and an entry is on the heap before its leaving
/// is reported. So a walk either finds the entry on the heap or is notified.
///
/// @param <K> the keys
final class OpenWalks<K> {
  private final Set<Walk<K>> walks =
      Collections.newSetFromMap(new WeakHashMap<>()); // guarded by it

  void add(Walk<K> walk) {
    synchronized (walks) {
      walks.add(walk);
    }
  }

  /// Notifies the walks of an entry that is on the heap, and will be in its page no more.
  void willLeavePages(K key, byte[] storedKey) {
    List<Walk<K>> open;
    synchronized (walks) {
      if (walks.isEmpty()) {
        return;
      }
      open = List.copyOf(walks);
    }
    open.forEach(walk -> walk.willLeavePages(key, storedKey));
  }
}
