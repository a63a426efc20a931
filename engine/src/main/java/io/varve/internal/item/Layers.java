package io.varve.internal.item;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is between the overlays and the main space. Immutable, and made again whenever a layer or
/// the main space was changed in a way that readers must know of: while readers find the same
/// object, what they have read fits together.
///
/// @param newestFirst the layers; the first alone may be one that is not committed
/// @param open whether the first is not committed
/// @param merging whether the last is being merged into the main space, and so stays as it is
record Layers(List<Layer> newestFirst, boolean open, boolean merging) {
  /// The layer of changes that are not committed, or null.
  @Nullable Layer uncommitted() {
    return open ? newestFirst.getFirst() : null;
  }

  /// How many layers are committed.
  int committedCount() {
    return newestFirst.size() - (open ? 1 : 0);
  }

  /// The layer that takes commits of a few items now, or null if there is none.
  @Nullable Layer takesCommits() {
    boolean fixed = open || newestFirst.isEmpty() || (merging && newestFirst.size() == 1);
    return fixed ? null : newestFirst.getFirst();
  }

  /// The oldest layer.
  Layer oldest() {
    return newestFirst.getLast();
  }

  /// The same, after the main space or a layer was changed.
  Layers changed() {
    return new Layers(newestFirst, open, merging);
  }

  /// With the first layer replaced by `layer`, which is not committed; or added, if all are.
  Layers withUncommitted(Layer layer) {
    return new Layers(withFirst(layer, open), true, merging);
  }

  /// With all layers committed.
  Layers committed() {
    return new Layers(newestFirst, false, merging);
  }

  /// With a committed layer above all.
  Layers withCommitted(Layer layer) {
    return new Layers(withFirst(layer, false), false, merging);
  }

  private List<Layer> withFirst(Layer layer, boolean replaces) {
    List<Layer> layers = new ArrayList<>(newestFirst);
    if (replaces) {
      layers.removeFirst();
    }
    layers.addFirst(layer);
    return List.copyOf(layers);
  }

  /// Without what is not committed.
  Layers withoutUncommitted() {
    return open ? new Layers(newestFirst.subList(1, newestFirst.size()), false, merging) : this;
  }

  /// With the oldest being merged.
  Layers merges() {
    return new Layers(newestFirst, open, true);
  }

  /// Without the oldest, which was merged.
  Layers merged() {
    return new Layers(newestFirst.subList(0, newestFirst.size() - 1), open, false);
  }
}
