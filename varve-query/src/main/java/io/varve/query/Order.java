package io.varve.query;

import java.util.Objects;

/// One of the values by which answers are ordered: [Attribute#asc()].
///
/// Null is below all values: it comes first in ascending order and last in descending order, unless
/// the order specifies otherwise.
///
/// @param attribute to order by
/// @param isDescending whether greater values come first
/// @param nulls where objects without a value come
/// @param <V> the objects
/// @since 1.0
public record Order<V>(Attribute<V, ?> attribute, boolean isDescending, Nulls nulls) {
  /// Refuses null.
  public Order {
    Objects.requireNonNull(attribute, "attribute");
    Objects.requireNonNull(nulls, "nulls");
  }

  /// This order with objects without a value first.
  public Order<V> nullsFirst() {
    return new Order<>(attribute, isDescending, Nulls.FIRST);
  }

  /// This order with objects without a value last.
  public Order<V> nullsLast() {
    return new Order<>(attribute, isDescending, Nulls.LAST);
  }
}
