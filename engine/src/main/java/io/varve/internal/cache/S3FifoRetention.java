package io.varve.internal.cache;

import io.varve.internal.page.Leaf;
import org.jspecify.annotations.Nullable;

/// S3-FIFO (Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023): newcomers
/// enter a small queue and leave it soon unless they were used again, so a scan passes through
/// without displacing what is hot; those that were used move to the main queue, where each use buys
/// another round; a newcomer that was dropped lately goes to the main queue immediately.
///
/// Two things are not of the paper. What a scan passes enters the small queue even if it was
/// dropped lately: scans that come again over more pages than fit would otherwise take turns in the
/// main queue, and find nothing. And while a scan passes, the small queue hands on what is far more
/// than its share, used or not: leaves that nobody uses twice would otherwise fill the place of the
/// main queue, and again leave before the scan comes back. Between the two shares nothing is handed
/// on, so that a scan moves nothing into a main queue that has its leaves.
///
/// A use writes at most one field of the leaf, and only while the count is below [#USES_MAX].
final class S3FifoRetention implements LeafRetention {
  private static final int USES_MAX = 3;

  /// The share of the leaves here that the small queue gets: one part in ten, by their bytes.
  private static final int SMALL_SHARE = 10;

  /// The small queue has far more than its share with more than one part in so many.
  private static final int SMALL_SHARE_MOST = 8;

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
  public @Nullable Leaf add(Leaf leaf, long bytesMax, boolean passing) {
    boolean wanted = !passing && ghosts.contains(leaf.extent());
    (wanted ? main : small).add(leaf);
    if (passing && small.bytes() * SMALL_SHARE_MOST > bytes()) {
      Leaf oldest = small.first();
      if (oldest != null) {
        oldest.use = 0;
        small.moveFirstTo(main);
      }
    }
    return null;
  }

  @Override
  public void remove(Leaf leaf) {
    (small.holds(leaf) ? small : main).remove(leaf);
  }

  @Override
  public @Nullable Leaf evict(long bytesMax) {
    for (int rounds = 0; ; rounds++) {
      boolean fromSmall = small.bytes() * SMALL_SHARE > bytes() || main.size() == 0;
      Leaf leaf = (fromSmall ? small : main).first();
      if (leaf == null) {
        return null;
      }
      if (leaf.use == 0 || rounds >= ROUNDS_MAX) {
        if (fromSmall) {
          ghosts.add(leaf.extent(), main.size() + small.size());
        }
        leaf.use = 0;
        return (fromSmall ? small : main).poll();
      }
      if (fromSmall) {
        leaf.use = 0;
        small.moveFirstTo(main);
      } else {
        leaf.use--;
        main.rotate();
      }
    }
  }

  @Override
  public long bytes() {
    return small.bytes() + main.bytes();
  }
}
