package io.varve.query.internal.statement;

import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query, resolved against the tables it names. Immutable; its parameters are not bound.
public sealed interface Statement {
  /// The tables that it reads, and the attributes that it walks through, by number.
  List<Source> sources();

  /// The condition of rows.
  Expression where();

  /// Answers with rows.
  ///
  /// @param outputs the columns
  /// @param isDistinct whether equal rows count once
  /// @param grouping how rows become groups, or null if each row is an answer; then the outputs,
  ///   the order and `having` are of the slots of a group
  /// @param having the condition of groups
  /// @param limit how many answers at most, or null
  /// @param offset how many answers are left out, or null
  record Select(
      List<Source> sources,
      Expression where,
      List<Output> outputs,
      boolean isDistinct,
      @Nullable Grouping grouping,
      Expression having,
      List<Sorting> order,
      @Nullable Expression limit,
      @Nullable Expression offset)
      implements Statement {}

  /// Changes the rows of one table.
  record Update(List<Source> sources, Expression where, List<Assignment> assignments)
      implements Statement {}

  /// Removes rows of one table.
  record Delete(List<Source> sources, Expression where) implements Statement {}

  /// A column of answers.
  record Output(String name, Expression value) {}

  /// A new value of an attribute.
  record Assignment(String path, Expression value) {}

  /// How rows become groups: slot `i` is key `i`, and the slots after them are the aggregates.
  record Grouping(List<Expression> keys, List<Expression.Aggregate> aggregates) {}

  /// How the rows of a source go with those of the sources before it.
  enum Join {
    /// Rows for which the condition is true.
    INNER,
    /// The same, and a row without values where there is none.
    LEFT
  }

  /// Where rows come from.
  ///
  /// @param table the name of the table, or empty for the elements of an attribute
  /// @param elements the attribute whose elements are the rows, or null for a table
  /// @param on the condition of the join
  record Source(
      String table,
      String alias,
      int number,
      Join join,
      @Nullable Expression elements,
      Expression on) {}
}
