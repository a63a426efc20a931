package io.varve.query.internal.access;

import io.varve.Range;
import io.varve.query.internal.expr.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// How an answer is found.
///
/// @param path to its rows
/// @param residual conditions that are checked on each row
/// @param ordering how the rows come in order
/// @param orderParts for each order that an index gives, which one it is, from the first part that
///   has more than one value on
/// @param isCovering whether the entries of the index have all that is asked of the rows
/// @param isByKey whether rows that an index finds are read in the order of their keys, in batches
/// @param considered the paths that were compared, with the costs that decided
public record Plan(
    AccessPath path,
    List<Conjunct> residual,
    Ordering ordering,
    List<Integer> orderParts,
    boolean isCovering,
    boolean isByKey,
    List<Considered> considered) {
  /// A path that was compared.
  ///
  /// @param cost of it, where reading a row in a scan costs one
  record Considered(AccessPath path, double cost) {
    @Override
    public String toString() {
      return name(path) + ", cost=" + String.format(Locale.ROOT, "%.1f", cost);
    }
  }

  /// This plan, where these conditions are checked on each row that is read.
  Plan checking(List<Conjunct> conditions) {
    return new Plan(path, conditions, ordering, orderParts, false, false, considered);
  }

  /// This plan, where rows are read in the order of their keys, or as the path finds them.
  Plan readingByKey(boolean isInKeyOrder) {
    return new Plan(path, residual, ordering, orderParts, isCovering, isInKeyOrder, considered);
  }

  /// How rows come in order.
  enum Ordering {
    /// As the path gives them.
    FORWARD,
    /// As the path gives them, from its end on.
    BACKWARD,
    /// The first ones are kept in a heap.
    TOP,
    /// All are sorted.
    SORT
  }

  /// The plan as lines of text.
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(
        switch (ordering) {
          case FORWARD -> "rows in the order of the path";
          case BACKWARD -> "rows in the order of the path, backwards";
          case TOP -> "the first rows of a heap";
          case SORT -> "rows sorted";
        });
    if (!residual.isEmpty()) {
      lines.add(
          "  where "
              + residual.stream()
                  .map(conjunct -> Expressions.text(conjunct.expression()))
                  .collect(Collectors.joining(" and ")));
    }
    if (isCovering) {
      lines.add("  out of the index alone");
    }
    if (isByKey) {
      lines.add("  read in the order of their keys");
    }
    describe(path, "  ", lines);
    if (considered.size() > 1) {
      lines.add("considered:");
      considered.forEach(other -> lines.add("  " + other));
    }
    return String.join("\n", lines);
  }

  private static void describe(AccessPath path, String indent, List<String> lines) {
    lines.add(indent + name(path));
    switch (path) {
      case AccessPath.Intersection both ->
          both.paths().forEach(part -> describe(part, indent + "  ", lines));
      case AccessPath.Union either ->
          either.paths().forEach(part -> describe(part, indent + "  ", lines));
      case AccessPath.Nothing _, AccessPath.Keys _, AccessPath.Entries _ -> {}
    }
  }

  /// A path in one line.
  static String name(AccessPath path) {
    return switch (path) {
      case AccessPath.Nothing _ -> "nothing";
      case AccessPath.Keys keys ->
          keys.ranges().equals(List.of(Range.all()))
              ? "all rows: " + keys.rows()
              : "keys: ranges=" + keys.ranges().size() + ", rows=" + keys.rows();
      case AccessPath.Entries entries ->
          "index "
              + entries.index().name()
              + ": ranges="
              + entries.ranges().size()
              + ", entries="
              + entries.rows();
      case AccessPath.Intersection both -> "intersection: rows about " + both.rows();
      case AccessPath.Union either -> "union: rows at most " + either.rows();
    };
  }
}
