package io.varve.query.pattern;

import io.varve.item.Item;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An answer of patterns: the component that each variable stands for. Unmodifiable, for any number
/// of threads; equal to another of the same query with the same components.
///
/// @since 1.0
public final class Bindings {
  private final List<Var<?>> variables;

  /// An item of one component for each variable.
  private final Item[] components;

  Bindings(List<Var<?>> variables, Item[] components) {
    this.variables = variables;
    this.components = components;
  }

  /// The component of a variable.
  ///
  /// @throws IllegalArgumentException if no pattern of the query names it
  public <T> T get(Var<T> variable) {
    return variable.type().cast(get(variable.name()));
  }

  /// The component of the variable of a name, as [io.varve.item.Components#at] gives it.
  ///
  /// @throws IllegalArgumentException if no pattern of the query names it
  public Object get(String name) {
    for (int i = 0; i < components.length; i++) {
      if (variables.get(i).name().equals(name)) {
        return components[i].at(0);
      }
    }
    throw new IllegalArgumentException(
        "no pattern has the variable: name=" + name + ", variables=" + variables);
  }

  /// The components by the names of their variables, in the order in which the patterns name them.
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < components.length; i++) {
      map.put(variables.get(i).name(), components[i].at(0));
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bindings that
        && variables.equals(that.variables)
        && Arrays.equals(components, that.components);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(components);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
