package io.varve.internal.salvage;

import io.varve.Space;
import java.util.HashMap;
import java.util.Map;

/// The spaces of the new store by the ids that they had in the damaged one. A space whose name is
/// lost gets one made of its id. For one thread.
final class SpaceNames {
  private final SalvageTarget target;
  private final Map<Integer, String> names = new HashMap<>();

  SpaceNames(SalvageTarget target) {
    this.target = target;
  }

  void name(int id, String name) {
    names.put(id, name);
  }

  boolean isKnown(int id) {
    return names.containsKey(id);
  }

  /// The space of that id, made if need be.
  Space space(int id) {
    return target.making().apply(names.computeIfAbsent(id, this::madeUp));
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
      target.dropping().accept(name);
    }
  }
}
