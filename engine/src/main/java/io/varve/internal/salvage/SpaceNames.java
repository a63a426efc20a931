package io.varve.internal.salvage;

import io.varve.Space;
import io.varve.Store;
import java.util.HashMap;
import java.util.Map;

/// The spaces of the new store by the ids that they had in the damaged one. A space whose name is
/// lost gets one made of its id. For one thread.
final class SpaceNames {
  private final Store store;
  private final Map<Integer, String> names = new HashMap<>();

  SpaceNames(Store store) {
    this.store = store;
  }

  void name(int id, String name) {
    names.put(id, name);
  }

  boolean isKnown(int id) {
    return names.containsKey(id);
  }

  /// The space of that id, made if need be.
  Space space(int id) {
    return store.space(names.computeIfAbsent(id, this::madeUp));
  }

  private String madeUp(int id) {
    String name = "space-" + id;
    while (names.containsValue(name)) {
      name += "-lost";
    }
    return name;
  }

  void drop(int id) {
    String name = names.remove(id);
    if (name != null) {
      store.dropSpace(name);
    }
  }
}
