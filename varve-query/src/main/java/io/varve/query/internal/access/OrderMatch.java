package io.varve.query.internal.access;

import io.varve.query.internal.access.Plan.Ordering;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a path gives rows in the order that is asked for, so that none are sorted.
///
/// @param ordering how it is read
/// @param parts which of the orders each part of the index gives, after those with one value
record OrderMatch(Ordering ordering, List<Integer> parts) {
  private static final OrderMatch FORWARD = new OrderMatch(Ordering.FORWARD, List.of());

  /// How a path is read for an order, or null if it gives another one.
  ///
  /// @param areKeysOrdered whether the bytes of keys have the order of the keys
  static @Nullable OrderMatch of(AccessPath path, Ask ask, boolean areKeysOrdered) {
    if (path instanceof AccessPath.Nothing || (ask.order().isEmpty() && !ask.isPaged())) {
      return FORWARD;
    }
    if (ask.order().isEmpty()) {
      return isByKey(path) ? FORWARD : null;
    }
    Sorting first = ask.order().getFirst();
    if (path instanceof AccessPath.Keys && first.value() instanceof Expression.KeyPath) {
      return areKeysOrdered ? byKey(first) : null;
    }
    return path instanceof AccessPath.Entries entries && !entries.mayRepeat()
        ? ofEntries(entries, ask)
        : null;
  }

  /// No two rows have the same key, so what they are ordered by after it does not matter.
  private static OrderMatch byKey(Sorting sorting) {
    return new OrderMatch(sorting.isDescending() ? Ordering.BACKWARD : Ordering.FORWARD, List.of());
  }

  private static boolean isByKey(AccessPath path) {
    return switch (path) {
      case AccessPath.Entries entries ->
          entries.mayRepeat() || (entries.isKeySorted() && entries.ranges().size() <= 1);
      default -> true;
    };
  }

  private static @Nullable OrderMatch ofEntries(AccessPath.Entries entries, Ask ask) {
    List<IndexPart> parts = entries.index().parts();
    List<Integer> given = new ArrayList<>();
    Boolean isBackward = null;
    int next = entries.fixedParts();
    for (int i = 0; i < ask.order().size(); i++) {
      Sorting sorting = ask.order().get(i);
      if (isFixed(entries, sorting)) {
        continue;
      }
      if (next == parts.size()) {
        return null;
      }
      IndexPart part = parts.get(next);
      Boolean direction = direction(entries, part, sorting);
      if (direction == null || (isBackward != null && !isBackward.equals(direction))) {
        return null;
      }
      isBackward = direction;
      given.add(i);
      next++;
    }
    boolean backward = isBackward != null && isBackward;
    if (ask.isPaged() && !isWhole(entries, next, backward, ask)) {
      return null;
    }
    return new OrderMatch(backward ? Ordering.BACKWARD : Ordering.FORWARD, List.copyOf(given));
  }

  /// Whether all rows have one value of what they are ordered by.
  private static boolean isFixed(AccessPath.Entries entries, Sorting sorting) {
    return entries.index().parts().subList(0, entries.fixedParts()).stream()
        .anyMatch(part -> gives(part, sorting));
  }

  private static boolean gives(IndexPart part, Sorting sorting) {
    return !part.isMany()
        && !part.codec().hasStringKeys()
        && sorting.value() instanceof Expression.Path path
        && path.source() == 0
        && !path.attribute().isMany()
        && path.attribute().path().equals(part.path());
  }

  /// Whether the index is read backwards to have a part in order, or null if it is not in order.
  private static @Nullable Boolean direction(
      AccessPath.Entries entries, IndexPart part, Sorting sorting) {
    if (!gives(part, sorting)) {
      return null;
    }
    boolean isBackward = part.codec().isDescending() != sorting.isDescending();
    boolean areNullsFirst = part.codec().nulls() == NullOrder.FIRST;
    boolean hasNulls = !entries.guaranteed().contains(part.path());
    return (hasNulls && areNullsFirst == isBackward == sorting.nullsFirst()) ? null : isBackward;
  }

  /// Whether rows that are equal in order come by their keys, as pages need it.
  private static boolean isWhole(
      AccessPath.Entries entries, int partsGiven, boolean isBackward, Ask ask) {
    return partsGiven == entries.index().parts().size()
        && isBackward == SortForm.areKeysDescending(ask.order());
  }
}
