package io.varve.query.internal.run;

import io.varve.query.internal.expr.Comparison;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Which values of a source have to equal which ones of the sources before it.
///
/// @param ofSource one side of each, of that source alone
/// @param ofOthers the other side of each, of sources before it alone
/// @param alone conditions of that source alone
record Equalities(List<Expression> ofSource, List<Expression> ofOthers, List<Expression> alone) {
  /// Takes the conditions of a source apart; null if they state no equality.
  static @Nullable Equalities of(List<Expression> conditions, int source) {
    var found = new Equalities(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Expression condition : conditions) {
      if (!isOfOthers(condition, source)) {
        found.alone.add(condition);
      } else if (condition instanceof Expression.Compare(var comparison, var left, var right)
          && comparison == Comparison.EQUAL) {
        if (!found.add(left, right, source)) {
          boolean _ = found.add(right, left, source);
        }
      }
    }
    return found.ofSource.isEmpty() ? null : found;
  }

  private boolean add(Expression mine, Expression others, int source) {
    boolean areApart =
        isOfSource(mine, source) && !isOfOthers(mine, source) && !isOfSource(others, source);
    if (areApart) {
      ofSource.add(mine);
      ofOthers.add(others);
    }
    return areApart;
  }

  private static boolean isOfSource(Expression expression, int source) {
    return isOf(expression, number -> number == source);
  }

  private static boolean isOfOthers(Expression expression, int source) {
    return isOf(expression, number -> number < source);
  }

  private static boolean isOf(Expression expression, IntPredicate sources) {
    return Expressions.contains(
        expression,
        part ->
            switch (part) {
              case Expression.Path path -> sources.test(path.source());
              case Expression.KeyPath key -> sources.test(key.source());
              case Expression.Self self -> sources.test(self.source());
              default -> false;
            });
  }
}
