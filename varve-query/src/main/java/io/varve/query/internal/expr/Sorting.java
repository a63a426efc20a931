package io.varve.query.internal.expr;

import io.varve.query.Values;
import org.jspecify.annotations.Nullable;

/// One of the values by which answers are ordered.
///
/// @param value to order by
/// @param isDescending whether greater values come first
/// @param nullsFirst whether rows without a value come before those with one
public record Sorting(Expression value, boolean isDescending, boolean nullsFirst) {
  /// Compares two values in their normal form as this orders them.
  public int compare(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      int nulls = Boolean.compare(left != null, right != null);
      return nullsFirst ? nulls : -nulls;
    }
    int order = Values.compare(left, right);
    return isDescending ? -order : order;
  }
}
