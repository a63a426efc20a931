package io.varve.query.pattern;

import io.varve.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One pattern: what is at each index of its items.
///
/// @param constants an item of one component for each index, or null where a variable is
/// @param variables the number of the variable at each index, or -1 where a constant is
/// @param isWhole whether its items have these components alone
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

  /// The number of components at the start that are known: constants, and variables that have
  /// components.
  int knownCount(@Nullable Item[] bound) {
    int known = 0;
    while (known < size() && component(known, bound) != null) {
      known++;
    }
    return known;
  }

  /// The component at an index, or null if it is not known yet.
  @Nullable Item component(int index, @Nullable Item[] bound) {
    return variables[index] == NONE ? constants.get(index) : bound[variables[index]];
  }

  /// The first components, which are known.
  Item prefix(int known, @Nullable Item[] bound) {
    Item.Builder prefix = Item.builder();
    for (int i = 0; i < known; i++) {
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
