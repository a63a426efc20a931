package io.varve.query.pattern;

import io.varve.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One pattern: what is in each place of its items.
///
/// @param constants an item of one component for each place, or null where a variable is
/// @param variables the number of the variable in each place, or -1 where a constant is
/// @param isWhole whether its items have these places alone
record Shape(List<Item> constants, int[] variables, boolean isWhole) {
  /// Stands for a constant among the numbers of variables.
  static final int NONE = -1;

  private static final Item NO_CONSTANT = Item.empty();

  /// Reads a pattern, and gives its new variables their numbers.
  ///
  /// @param known the variables of the patterns before, to which those of this are added
  static Shape of(Object[] parts, boolean isWhole, List<Var<?>> known) {
    if (parts.length == 0) {
      throw new IllegalArgumentException("a pattern needs one component or variable, or more");
    }
    List<Item> constants = new ArrayList<>();
    int[] variables = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof Var<?> variable) {
        variables[i] = number(variable, known);
        constants.add(NO_CONSTANT);
      } else {
        variables[i] = NONE;
        constants.add(Item.of(parts[i]));
      }
    }
    return new Shape(List.copyOf(constants), variables, isWhole);
  }

  private static int number(Var<?> variable, List<Var<?>> known) {
    for (int i = 0; i < known.size(); i++) {
      Var<?> other = known.get(i);
      if (other.name().equals(variable.name())) {
        if (!other.equals(variable)) {
          throw new IllegalArgumentException(
              "a variable has one type in all patterns: name="
                  + variable.name()
                  + ", types="
                  + other.type().getName()
                  + " and "
                  + variable.type().getName());
        }
        return i;
      }
    }
    known.add(variable);
    return known.size() - 1;
  }

  int size() {
    return variables.length;
  }

  /// The places at the start that are known: constants, and variables that have components.
  int knownPlaces(@Nullable Item[] bound) {
    int places = 0;
    while (places < size() && component(places, bound) != null) {
      places++;
    }
    return places;
  }

  /// The component in a place, or null if it is not known yet.
  @Nullable Item component(int place, @Nullable Item[] bound) {
    return variables[place] == NONE ? constants.get(place) : bound[variables[place]];
  }

  /// The components of the first places, which are known.
  Item prefix(int places, @Nullable Item[] bound) {
    Item.Builder prefix = Item.builder();
    for (int i = 0; i < places; i++) {
      prefix.item(Objects.requireNonNull(component(i, bound)));
    }
    return prefix.build();
  }

  /// Its text, such as `("Trade", ?id, "price", ?price)`.
  String describe(List<Var<?>> names) {
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < size(); i++) {
      text.append(i == 0 ? "" : ", ");
      if (variables[i] == NONE) {
        String item = constants.get(i).toString();
        text.append(item, 1, item.length() - 1);
      } else {
        text.append(names.get(variables[i]));
      }
    }
    return text.append(isWhole ? ")" : ", ...)").toString();
  }
}
