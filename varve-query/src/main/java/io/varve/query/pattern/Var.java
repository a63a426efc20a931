package io.varve.query.pattern;

import java.util.Objects;

/// A variable of patterns: stands for one component, the same one wherever it is named in a query.
///
/// Made by [Patterns#var(String)] or [Patterns#var(String, Class)].
///
/// @param name what it is called, in answers and messages; not empty
/// @param type what its component must be: a component of another type does not match. `Object` is
///   any
/// @param <T> the type of its component, as [io.varve.item.Components#at] gives it
/// @since 1.0
public record Var<T>(String name, Class<T> type) {
  /// Refuses an empty name.
  public Var {
    Objects.requireNonNull(type, "type");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a variable needs a name");
    }
  }

  @Override
  public String toString() {
    return "?" + name;
  }
}
