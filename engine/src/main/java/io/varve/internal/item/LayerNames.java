package io.varve.internal.item;

import io.varve.Space;
import io.varve.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The names of the layers of an item space: that of the space, and a number that grows.
///
/// No other space has such a name ([#isLayer]): an open drops layers that are not committed, and
/// must never take a user's space for one. So users can neither make nor drop such a space; what
/// carries a whole store (a restore, a salvage) makes it by other ways.
public final class LayerNames {
  private static final String SUFFIX = "~layer-";

  /// The last number. All have as many digits, so that names are in the order of numbers.
  private static final String NUMBER_MAX = Long.toString(Long.MAX_VALUE);

  private static final String NUMBER_FORMAT = "%0" + NUMBER_MAX.length() + "d";

  private final Store store;
  private final LayerSpaces spaces;
  private final String prefix;

  /// The number of the next layer. Guarded by the lock under which layers are made.
  private long next;

  LayerNames(Store store, LayerSpaces spaces, String name) {
    this.store = store;
    this.spaces = spaces;
    this.prefix = name + SUFFIX;
  }

  /// Whether a space of that name is a layer.
  public static boolean isLayer(String name) {
    int number = name.length() - NUMBER_MAX.length();
    return number > SUFFIX.length()
        && name.startsWith(SUFFIX, number - SUFFIX.length())
        && name.chars().skip(number).allMatch(digit -> digit >= '0' && digit <= '9');
  }

  /// Requires that a name, which a user gives, is not that of a layer.
  public static void requireNone(String name) {
    if (isLayer(name)) {
      throw new IllegalArgumentException(
          "space name is reserved for changes of the item space '"
              + name.substring(0, name.length() - NUMBER_MAX.length() - SUFFIX.length())
              + "': name="
              + name
              + "; choose another name, or change the items by Store.items");
    }
  }

  private List<String> present() {
    List<String> present = new ArrayList<>();
    for (String name : spaces.namesFrom().apply(prefix)) {
      if (!name.startsWith(prefix)) {
        break;
      }
      if (isLayer(name)
          && name.length() == prefix.length() + NUMBER_MAX.length()
          && name.substring(prefix.length()).compareTo(NUMBER_MAX) <= 0) {
        present.add(name);
      }
    }
    return present;
  }

  /// Whether there is no layer.
  boolean isUnused() {
    return present().isEmpty();
  }

  /// Finds the layers that are committed, and drops the others (L1 of [Layer]); a store that is
  /// open read-only leaves them to the next open.
  Layers recover() {
    List<Layer> committed = new ArrayList<>();
    for (String name : present()) {
      Space space = store.findSpace(name);
      if (space == null) {
        continue;
      }
      next = Long.parseLong(name.substring(prefix.length())) + 1;
      Layer layer = new Layer(space, spaces.dropping());
      if (layer.isCommitted()) {
        committed.addFirst(layer);
      } else if (!store.options().readOnly()) {
        spaces.dropping().accept(name);
      }
    }
    return new Layers(List.copyOf(committed), false, false);
  }

  /// Makes a layer that is not committed, above all others.
  Layer create() {
    String name = prefix + String.format(Locale.ROOT, NUMBER_FORMAT, next++);
    return new Layer(spaces.making().apply(name), spaces.dropping());
  }

  /// Drops all layers, committed or not.
  void dropAll() {
    present().forEach(spaces.dropping());
  }
}
