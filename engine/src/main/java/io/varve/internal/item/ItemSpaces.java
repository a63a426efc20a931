package io.varve.internal.item;

import io.varve.Space;
import io.varve.Store;
import io.varve.item.ItemSpace;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The item spaces of a store that were asked for: one object for each, since its threads share the
/// changes that are not committed.
///
/// (ITEMS-1) When a space is made, or renamed, there is no layer of its name. So layers belong to
/// the main space of their name, also after a crash between its drop and theirs.
public final class ItemSpaces {
  private final Store store;
  private final LayerSpaces layers;
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock, which comes before those of [Levels].
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
        found = new LayeredSpace(store, layers, name);
        open.put(name, found);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  /// The space of a name, which a user gave, made if there is none (ITEMS-1). A drop by another
  /// thread may come between any two steps: a space that was found is never made again here before
  /// its layers are dropped.
  ///
  /// @param finding gives the space if there is one
  /// @param making gives it too, made if there is none
  public Space make(
      String name, Supplier<? extends @Nullable Space> finding, Supplier<Space> making) {
    lock.lock();
    try {
      while (true) {
        Space present = finding.get();
        if (present != null) {
          return present;
        }
        if (dropWithoutMain(name)) {
          return making.get(); // None is made concurrently, since that takes the lock.
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// Drops what there is under a name that no space has. Under the lock.
  ///
  /// @return whether no space has it
  private boolean dropWithoutMain(String name) {
    if (store.findSpace(name) != null) {
      return false;
    }
    LayeredSpace gone = open.remove(name);
    if (gone != null) {
      gone.levels().dropped(); // before its layers are, so that it makes no more of them
    }
    new LayerNames(store, layers, name).dropAll();
    return true;
  }

  /// Lets a space be renamed that is no item space: items know their layers by its name.
  ///
  /// @throws IllegalArgumentException if items of that name are open, or have changes in layers; or
  ///   if another space has the new name
  public boolean renamed(String name, String newName, BooleanSupplier renaming) {
    lock.lock();
    try {
      if (open.containsKey(name) || !new LayerNames(store, layers, name).isUnused()) {
        throw new IllegalArgumentException(
            "an item space keeps its name: name=" + name + "; copy its items to another one");
      }
      if (dropWithoutMain(newName) || newName.equals(name)) {
        return renaming.getAsBoolean();
      }
      if (store.findSpace(name) == null) {
        return false;
      }
      // Not left to the renaming: a drop that comes first would leave layers of that name.
      throw new IllegalArgumentException(
          "another space has that name: name=" + newName + "; drop or rename it first");
    } finally {
      lock.unlock();
    }
  }

  /// Drops what there is apart from a main space, which was dropped. Its item space fails from now
  /// on. Does nothing if there is a main space of that name again: to make it did so.
  public void dropped(String name) {
    lock.lock();
    try {
      dropWithoutMain(name);
    } finally {
      lock.unlock();
    }
  }
}
