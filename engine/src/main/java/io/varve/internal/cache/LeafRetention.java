package io.varve.internal.cache;

import io.varve.internal.page.Leaf;
import org.jspecify.annotations.Nullable;

/// Which clean leaves stay in memory when not all can: the order in which `PageCache` has them
/// leave. Inner pages are no concern of it.
///
/// All but [#used(Leaf)] is called under the lock of the cache.
interface LeafRetention {
  /// The most leaves that are passed over because they were used, before one leaves all the same:
  /// so that the work for one newcomer is bounded, and the budget is kept.
  int ROUNDS_MAX = 64;

  /// Notes that a reader uses a leaf whose page is in memory. Takes no lock and writes to no memory
  /// but the leaf's own; what races lose is a use that is not counted.
  void used(Leaf leaf);

  /// Takes in a leaf that is not here, whose page is in memory.
  ///
  /// @param bytesMax the budget as it is now
  /// @param passing whether a scan brought it, which predicts no later use
  /// @return the leaf that must leave for it, whatever capacity there is; it is not here any more
  @Nullable Leaf add(Leaf leaf, long bytesMax, boolean passing);

  /// Takes out a leaf that is here.
  void remove(Leaf leaf);

  /// Takes out the leaf that is to leave next.
  ///
  /// @param bytesMax the budget as it is now
  /// @return null if there is none
  @Nullable Leaf evict(long bytesMax);

  /// The bytes of all leaves that are here.
  long bytes();
}
