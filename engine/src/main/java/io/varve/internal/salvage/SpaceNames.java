package io.varve.internal.salvage;

import io.varve.Space;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.txn.IndexNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The spaces of the new store by the ids that they had in the damaged one. A space whose name is
/// lost gets one made of its id. For one thread.
final class SpaceNames {
  private final SalvageTarget target;
  private final Map<Integer, String> names = new HashMap<>();

  /// The ids of spaces with the entries of indexes.
  private final Set<Integer> indexes = new HashSet<>();

  SpaceNames(SalvageTarget target) {
    this.target = target;
  }

  void name(int id, String name) {
    noteIndex(id, name);
    names.put(id, indexes.contains(id) ? ofIndex(id) : name);
  }

  /// Records a space with the entries of an index. To salvage these is of no use: the indexed space
  /// has another id in the new store, and other entries. A program that opens it has its indexes
  /// built.
  private void noteIndex(int id, String name) {
    if (IndexNames.isIndex(name)) {
      indexes.add(id);
    }
  }

  /// Names a space that the log makes, unless its name is known: that is the newest it had.
  void created(int id, String name) {
    if (!names.containsKey(id)) {
      noteIndex(id, name);
      String free = names.containsValue(name) ? madeUp(id) : name;
      names.put(id, indexes.contains(id) ? ofIndex(id) : free);
    }
  }

  /// The space of that id, made if need be.
  Space space(int id) {
    return target.making().apply(names.computeIfAbsent(id, this::madeUp));
  }

  /// A name that no user gives a space, and no salvage: what has it is dropped at the end.
  private static String ofIndex(int id) {
    return "\u0001entries of an index:" + id;
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
    noteIndex(id, definition.name());
    Space space = space(id);
    if (indexes.contains(id)) {
      return;
    }
    boolean taken =
        !space.name().equals(definition.name()) && names.containsValue(definition.name());
    SpaceDefinition allowed = taken ? definition.renamed(space.name()) : definition;
    target.defining().accept(space, allowed);
    names.put(id, allowed.name());
  }

  /// Drops the entries of indexes.
  void dropIndexes() {
    List.copyOf(indexes).forEach(this::drop);
  }

  void drop(int id) {
    String name = names.remove(id);
    if (name != null) {
      target.dropping().accept(name);
    }
  }
}
