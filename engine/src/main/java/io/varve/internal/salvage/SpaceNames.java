package io.varve.internal.salvage;

import io.varve.Space;
import io.varve.internal.file.SpaceDefinition;
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

  /// Names a space that the log makes, unless its name is known: that is the newest it had.
  void created(int id, String name) {
    if (!names.containsKey(id)) {
      names.put(id, names.containsValue(name) ? madeUp(id) : name);
    }
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

  /// Sets what was known of a space, its name among it, unless another space has the name: then one
  /// that was dropped has come back.
  void define(int id, SpaceDefinition definition) {
    Space space = space(id);
    boolean taken =
        !space.name().equals(definition.name()) && names.containsValue(definition.name());
    SpaceDefinition allowed = taken ? definition.renamed(space.name()) : definition;
    target.defining().accept(space, allowed);
    names.put(id, allowed.name());
  }

  void drop(int id) {
    String name = names.remove(id);
    if (name != null) {
      target.dropping().accept(name);
    }
  }
}
