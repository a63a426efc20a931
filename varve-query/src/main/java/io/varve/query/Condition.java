package io.varve.query;

/// A condition of the objects of a table, made of attributes: `CITY.eq("Bonn").and(AGE.lt(30))`.
///
/// A comparison with a value that is null is neither true nor false, but unknown; so is what is
/// made of it, unless the other side decides. A query finds the objects that its condition is true
/// of.
///
/// Made by [Attribute] alone. Immutable. Conditions nest up to 500 levels, where those that are
/// joined by `and` alone, or by `or` alone, are one level. What would nest deeper is refused by an
/// `IllegalArgumentException`.
///
/// @param <V> the objects
/// @since 1.0
public interface Condition<V> {
  /// True where both are.
  Condition<V> and(Condition<? super V> other);

  /// True where one of both is.
  Condition<V> or(Condition<? super V> other);

  /// True where this is false.
  Condition<V> not();

  /// Whether this is true of an object, and of the key that it has in its table.
  boolean test(Object key, V value);
}
