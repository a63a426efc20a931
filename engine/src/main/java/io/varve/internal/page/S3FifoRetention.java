package io.varve.internal.page;

import org.jspecify.annotations.Nullable;

/// S3-FIFO (Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023): newcomers
/// enter a small queue and leave it soon unless they were used again, so a scan passes through
/// without displacing what is hot; those that were used move to the main queue, where each use buys
/// another round; a newcomer that was dropped lately goes to the main queue at once.
///
/// A use writes at most one field of the leaf, and only while the count is below [#USES_MAX].
final class S3FifoRetention implements LeafRetention {
  private static final int USES_MAX = 3;

  /// The share of the budget that the small queue gets: one part in ten.
  private static final int SMALL_SHARE = 10;

  private final PageQueue<Leaf> small = new PageQueue<>();
  private final PageQueue<Leaf> main = new PageQueue<>();
  private final GhostQueue ghosts = new GhostQueue();

  @Override
  public void used(Leaf leaf) {
    if (leaf.use < USES_MAX) {
      leaf.use++;
    }
  }

  @Override
  public @Nullable Leaf add(Leaf leaf, long bytesMax) {
    (ghosts.contains(leaf.extent()) ? main : small).add(leaf);
    return null;
  }

  @Override
  public void remove(Leaf leaf) {
    (small.holds(leaf) ? small : main).remove(leaf);
  }

  @Override
  public @Nullable Leaf evict(long bytesMax) {
    for (int rounds = 0; ; rounds++) {
      boolean fromSmall = small.bytes() * SMALL_SHARE > bytesMax || main.size() == 0;
      Leaf leaf = (fromSmall ? small : main).poll();
      if (leaf == null) {
        return null;
      }
      if (leaf.use == 0 || rounds >= ROUNDS_MAX) {
        if (fromSmall) {
          ghosts.add(leaf.extent(), main.size() + small.size());
        }
        leaf.use = 0;
        return leaf;
      }
      leaf.use = fromSmall ? 0 : leaf.use - 1;
      main.add(leaf);
    }
  }

  @Override
  public long bytes() {
    return small.bytes() + main.bytes();
  }
}
