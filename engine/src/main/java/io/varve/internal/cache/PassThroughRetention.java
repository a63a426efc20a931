package io.varve.internal.cache;

import io.varve.internal.page.Leaf;
import org.jspecify.annotations.Nullable;

/// Keeps no leaf: its page leaves memory as soon as it was handed to the thread that wanted it.
final class PassThroughRetention implements LeafRetention {
  @Override
  public void used(Leaf leaf) {}

  @Override
  public Leaf add(Leaf leaf, long bytesMax, boolean passing) {
    return leaf;
  }

  @Override
  public void remove(Leaf leaf) {}

  @Override
  public @Nullable Leaf evict(long bytesMax) {
    return null;
  }

  @Override
  public long bytes() {
    return 0;
  }
}
