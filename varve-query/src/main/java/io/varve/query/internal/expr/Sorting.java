package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the values by which answers are ordered.
///
/// @param value to order by
/// @param isDescending whether greater values come first
/// @param nullsFirst whether rows without a value come before those with one
public record Sorting(Expression value, boolean isDescending, boolean nullsFirst) {
  /// Compares two values in their normal form as this orders them. Values of classes that an index
  /// cannot order are equal here too, and so is what follows them in a list.
  public int compare(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      int nulls = Boolean.compare(left != null, right != null);
      return nullsFirst ? nulls : -nulls;
    }
    int order = compareValues(left, right);
    return isDescending ? -order : order;
  }

  private static int compareValues(Object left, Object right) {
    ValueKind kind = ValueKind.of(left);
    if (kind == ValueKind.OTHER && ValueKind.of(right) == ValueKind.OTHER) {
      return 0;
    }
    return left instanceof List<?> list && right instanceof List<?> other
        ? compareLists(list, other)
        : Values.compare(left, right);
  }

  private static int compareLists(List<?> left, List<?> right) {
    int common = Math.min(left.size(), right.size());
    for (int index = 0; index < common; index++) {
      Object mine = left.get(index);
      Object its = right.get(index);
      int order =
          mine == null || its == null
              ? Boolean.compare(mine != null, its != null)
              : compareValues(mine, its);
      if (order != 0 || hasNoOrder(mine)) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static boolean hasNoOrder(@Nullable Object value) {
    return value instanceof List<?> list
        ? list.stream().anyMatch(Sorting::hasNoOrder)
        : ValueKind.of(value) == ValueKind.OTHER;
  }
}
