package io.varve.query.internal.access;

import io.varve.query.Attribute;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is asked of one table.
///
/// @param where the condition of its rows, with values for all parameters; they are source 0
/// @param order by which they come; without one as the plan finds them
/// @param offset how many are passed over
/// @param limit how many are given at most
/// @param isPaged whether rows without another order come by their keys, so that an answer can be
///   continued; the keys are descending if the first order is
/// @param after where an answer before ended ([TableAccess#position]), or null for the beginning
/// @param only the index to use, or an empty text for none, or null for the best
/// @param needed the attributes that are asked of the rows and their condition, or null if the
///   values are
public record Ask(
    Expression where,
    List<Sorting> order,
    long offset,
    long limit,
    boolean isPaged,
    byte @Nullable [] after,
    @Nullable String only,
    @Nullable List<Attribute<?, ?>> needed) {
  /// No limit.
  public static final long ALL = Long.MAX_VALUE;

  /// All rows that a condition is true of.
  public static Ask of(Expression where) {
    return new Ask(where, List.of(), 0, ALL, false, null, null, null);
  }

  /// With another condition.
  public Ask where(Expression other) {
    return new Ask(other, order, offset, limit, isPaged, after, only, null);
  }

  /// In an order.
  public Ask orderedBy(List<Sorting> sortings) {
    return new Ask(where, List.copyOf(sortings), offset, limit, isPaged, after, only, needed);
  }

  /// Some of them.
  public Ask within(long newOffset, long newLimit) {
    return new Ask(where, order, newOffset, newLimit, isPaged, after, only, needed);
  }

  /// In an order that is the same for every plan, and after a position.
  public Ask pagedAfter(byte @Nullable [] position) {
    return new Ask(where, order, offset, limit, true, position, only, needed);
  }

  /// By one index, or by none if the name is empty.
  public Ask using(String index) {
    return new Ask(where, order, offset, limit, isPaged, after, index, needed);
  }

  /// By what is in an index alone, if there is one that has these attributes.
  Ask needing(@Nullable List<Attribute<?, ?>> attributes) {
    return new Ask(where, order, offset, limit, isPaged, after, only, attributes);
  }

  /// For the keys of the rows alone.
  public Ask needingKeys() {
    List<Expression> asked = new ArrayList<>();
    asked.add(where);
    order.forEach(sorting -> asked.add(sorting.value()));
    return needing(Needed.by(asked));
  }

  /// Whether a first row that is found is one that is given.
  boolean isFirstGiven() {
    return offset == 0 && limit > 0;
  }

  /// How many rows are needed before those that are given are known.
  long rowsNeeded() {
    return limit >= ALL - offset ? ALL : offset + limit;
  }
}
