package io.varve.internal.item;

import io.varve.Store;
import io.varve.item.ItemSpace;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// The item spaces of a store that were asked for: one object for each, since its threads share the
/// changes that are not committed.
public final class ItemSpaces {
  private final Store store;
  private final LayerSpaces layers;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private final Map<String, LayeredSpace> open = new HashMap<>();

  /// Makes the item spaces of a store, none of which is open.
  public ItemSpaces(Store store, LayerSpaces layers) {
    this.store = store;
    this.layers = layers;
  }

  /// The items under a name, which are none if they are new.
  ///
  /// @throws IllegalArgumentException if the name is too long, since layers have longer ones
  public ItemSpace open(String name) {
    if (name.length() > ItemSpace.NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "name too long: nameLength=" + name.length() + ", max=" + ItemSpace.NAME_LENGTH_MAX);
    }
    lock.lock();
    try {
      LayeredSpace found = open.get(name);
      if (found == null) {
        found = begin(name);
        open.put(name, found);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private LayeredSpace begin(String name) {
    if (store.findSpace(name) == null) {
      new LayerNames(store, layers, name).dropAll(); // of a space of that name which was dropped
    }
    return new LayeredSpace(store, layers, name);
  }

  /// Lets a space be renamed that is no item space: items know their layers by its name.
  ///
  /// @throws IllegalArgumentException if items of that name are open, or have changes in layers
  public boolean renamed(String name, String newName, BooleanSupplier renaming) {
    lock.lock();
    try {
      if (open.containsKey(name) || !new LayerNames(store, layers, name).isUnused()) {
        throw new IllegalArgumentException(
            "an item space keeps its name: name=" + name + "; copy its items to another one");
      }
      if (store.findSpace(newName) == null) {
        new LayerNames(store, layers, newName).dropAll(); // of a space of that name, dropped before
      }
      return renaming.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /// Drops what there is apart from a main space, which was dropped. Its item space fails from now
  /// on.
  public void dropped(String name) {
    LayeredSpace space;
    lock.lock();
    try {
      space = open.remove(name);
    } finally {
      lock.unlock();
    }
    if (space != null) {
      space.levels().dropped();
    }
    // Also of one that nobody has opened since a crash in the middle of a commit.
    new LayerNames(store, layers, name).dropAll();
  }
}
