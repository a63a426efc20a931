package io.varve.infinispan;

import org.infinispan.Cache;

/// Follows the stores of the caches of a cache manager, whose configuration names it by a
/// [StoreListenerConfigurationBuilder].
///
/// - **Threads:** one call at a time for one store, on a thread that may wait. Calls for different
///   stores may come concurrently.
/// - **Failures:** what [#opening], [#reading] and [#opened] throw fails the start of the cache; no
///   [#closing] follows.
public interface StoreListener {
  /// A store is about to be opened, which takes long where it recovers from a crash.
  default void opening(Cache<?, ?> cache) {}

  /// More entries were read of a store that is being opened. Comes while all of them are looked
  /// through, after an unclean end or a change of the number of segments.
  ///
  /// @param entries since the last call for the store
  default void reading(Cache<?, ?> cache, long entries) {}

  /// A store was opened; its cache starts.
  void opened(OpenStore store);

  /// A store is about to be closed. May come again for a store that is closed already.
  void closing(OpenStore store);
}
