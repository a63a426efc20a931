package io.varve.query.internal.run;

import io.varve.query.internal.expr.Binding;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.statement.Statement;
import io.varve.query.internal.statement.Statement.Assignment;
import io.varve.query.internal.statement.Statement.Grouping;
import io.varve.query.internal.statement.Statement.Output;
import io.varve.query.internal.statement.Statement.Source;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Replaces the expressions of a statement.
///
/// @param by what makes another expression of each
public record Bound(UnaryOperator<Expression> by) {
  /// Puts values in place of parameters.
  public static Bound to(Binding binding) {
    return new Bound(expression -> Expressions.bind(expression, binding));
  }

  /// The names of the parameters of a statement.
  public static Set<String> parameters(Statement statement) {
    Set<String> names = new TreeSet<>();
    Bound collecting =
        new Bound(expression -> {
          Expressions.contains(
              expression,
              part -> {
                if (part instanceof Expression.Parameter parameter) {
                  names.add(parameter.name());
                }
                return false;
              });
          return expression;
        });
    collecting.of(statement);
    return names;
  }

  /// The statement with other expressions.
  public Statement of(Statement statement) {
    return switch (statement) {
      case Statement.Select select -> select(select);
      case Statement.Update(var sources, var where, var assignments) ->
          new Statement.Update(
              sources,
              of(where),
              assignments.stream()
                  .map(each -> new Assignment(each.path(), of(each.value())))
                  .toList());
      case Statement.Delete(var sources, var where) -> new Statement.Delete(sources, of(where));
    };
  }

  private Statement.Select select(Statement.Select select) {
    return new Statement.Select(
        select.sources().stream().map(this::source).toList(),
        of(select.where()),
        select.outputs().stream().map(each -> new Output(each.name(), of(each.value()))).toList(),
        select.isDistinct(),
        select.grouping() == null ? null : grouping(select.grouping()),
        of(select.having()),
        select.order().stream()
            .map(each -> new Sorting(of(each.value()), each.isDescending(), each.nullsFirst()))
            .toList(),
        ofNullable(select.limit()),
        ofNullable(select.offset()));
  }

  private Source source(Source source) {
    return new Source(
        source.table(),
        source.alias(),
        source.number(),
        source.join(),
        source.elements(),
        of(source.on()));
  }

  private Grouping grouping(Grouping grouping) {
    List<Expression.Aggregate> aggregates =
        grouping.aggregates().stream().map(each -> (Expression.Aggregate) of(each)).toList();
    return new Grouping(grouping.keys().stream().map(this::of).toList(), aggregates);
  }

  private Expression of(Expression expression) {
    return by.apply(expression);
  }

  private @Nullable Expression ofNullable(@Nullable Expression expression) {
    return expression == null ? null : of(expression);
  }
}
