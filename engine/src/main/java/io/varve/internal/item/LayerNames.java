package io.varve.internal.item;

import io.varve.Space;
import io.varve.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;

/// The names of the layers of an item space: that of the space, and a number that grows.
final class LayerNames {
  private static final String SUFFIX = "~layer-";

  private final Store store;
  private final String prefix;

  /// The number of the next layer. Guarded by the lock under which layers are made.
  private long next;

  LayerNames(Store store, String name) {
    this.store = store;
    this.prefix = name + SUFFIX;
  }

  private SortedSet<String> present() {
    return store.spaceNames().subSet(prefix, prefix + ":"); // the character behind the digits
  }

  /// Finds the layers that are committed, and drops the others (L1 of [Layer]).
  Layers recover() {
    List<Layers.Level> committed = new ArrayList<>();
    for (String name : List.copyOf(present())) {
      Space space = store.findSpace(name);
      if (space == null) {
        continue;
      }
      next = Long.parseLong(name.substring(prefix.length())) + 1;
      Layer layer = new Layer(space);
      if (layer.isCommitted()) {
        committed.addFirst(new Layers.Level(layer, layer.cleared()));
      } else {
        store.dropSpace(name);
      }
    }
    return new Layers(List.copyOf(committed), false, false);
  }

  /// Makes a layer that is not committed, above all others.
  Layer create() {
    // As many digits as any number needs, so that names are in the order of numbers.
    return new Layer(store.space(prefix + String.format(Locale.ROOT, "%019d", next++)));
  }

  /// Drops all layers, committed or not.
  void dropAll() {
    List.copyOf(present()).forEach(store::dropSpace);
  }
}
