package io.varve.query.internal.parse;

import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.statement.Statement.Output;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/// Turns expressions of rows into those of groups: what rows are grouped by and what is computed of
/// all rows of a group become slots, and nothing else of a row may remain.
final class GroupRewriter {
  private final List<Expression> keys;

  /// The keys as they are read where they meet a decimal number.
  private final List<Expression> decimalKeys;

  private final int sourceCount;
  private final List<Expression.Aggregate> aggregates = new ArrayList<>();

  GroupRewriter(List<Expression> keys, int sourceCount) {
    this.keys = keys;
    this.decimalKeys = keys.stream().map(NumberTypes::decimal).toList();
    this.sourceCount = sourceCount;
  }

  static boolean hasAggregate(Expression expression) {
    return Expressions.contains(expression, part -> part instanceof Expression.Aggregate);
  }

  List<Expression.Aggregate> aggregates() {
    return List.copyOf(aggregates);
  }

  List<Output> outputs(List<Output> outputs, ParserRuleContext part) {
    return outputs.stream()
        .map(output -> new Output(output.name(), rewritten(output.value(), part)))
        .toList();
  }

  List<Sorting> order(List<Sorting> order, ParserRuleContext part) {
    return order.stream()
        .map(sorting ->
            new Sorting(
                rewritten(sorting.value(), part), sorting.isDescending(), sorting.nullsFirst()))
        .toList();
  }

  Expression rewritten(Expression expression, ParserRuleContext part) {
    Expression rewritten = Expressions.replace(expression, this::slot);
    Expressions.contains(
        rewritten,
        each -> {
          if (isOfRow(each)) {
            throw Problems.at(
                part.getStart(),
                "neither grouped nor a function of groups: " + Expressions.text(each),
                "group by " + Expressions.text(each));
          }
          return false;
        });
    return rewritten;
  }

  private @Nullable Expression slot(Expression expression) {
    int exact = keys.indexOf(expression);
    int key = exact >= 0 ? exact : decimalKeys.indexOf(expression);
    if (key >= 0) {
      return new Expression.Slot(key);
    }
    if (!(expression instanceof Expression.Aggregate aggregate)) {
      return null;
    }
    int known = aggregates.indexOf(aggregate);
    if (known < 0) {
      aggregates.add(aggregate);
      known = aggregates.size() - 1;
    }
    return new Expression.Slot(keys.size() + known);
  }

  /// Elements that an `exists` walks through have numbers after those of the sources.
  private boolean isOfRow(Expression expression) {
    return switch (expression) {
      case Expression.Path path -> path.source() < sourceCount;
      case Expression.KeyPath key -> key.source() < sourceCount;
      case Expression.Self self -> self.source() < sourceCount;
      default -> false;
    };
  }
}
