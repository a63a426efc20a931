package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.expr.ArithmeticOperator;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Numbers;
import io.varve.query.internal.expr.Scope;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Computes one function of the rows of one group.
final class Accumulator {
  private final Expression.Aggregate aggregate;
  private final @Nullable TreeSet<Object> seen;
  private long count;
  private @Nullable Object value;

  Accumulator(Expression.Aggregate aggregate) {
    this.aggregate = aggregate;
    this.seen = aggregate.isDistinct() ? new TreeSet<>(Values::compare) : null;
  }

  /// What a row adds, in its normal form; null for a row that does not count.
  static @Nullable Object argument(Expression.Aggregate aggregate, Scope row) {
    return aggregate.argument() == null
        ? (Object) true
        : Numbers.unsignedZero(Values.normal(Evaluation.value(aggregate.argument(), row)));
  }

  /// Whether equal values count once, and this is equal to one that was added.
  boolean hasSeen(Object next) {
    return seen != null && seen.contains(next);
  }

  /// Adds what a row has, unless an equal value was added that counts once.
  ///
  /// @return whether it was remembered
  boolean add(Object next) {
    if (seen != null && !seen.add(next)) {
      return false;
    }
    addNew(next);
    return seen != null;
  }

  /// Adds a value that is known to count.
  void addNew(Object next) {
    count++;
    switch (aggregate.function()) {
      case COUNT -> {}
      case SUM, AVG -> value = value == null ? number(next) : sum((Number) value, number(next));
      case MIN -> value = value == null || Values.compare(next, value) < 0 ? next : value;
      case MAX -> value = value == null || Values.compare(next, value) > 0 ? next : value;
    }
  }

  private static Number number(Object value) {
    if (value instanceof Number number) {
      return number;
    }
    throw new IllegalArgumentException(
        "sum and avg are of numbers: type=" + value.getClass().getName());
  }

  private static Number sum(Number left, Number right) {
    Number sum = Numbers.calculate(ArithmeticOperator.ADD, left, right);
    if (sum == null) {
      throw new IllegalStateException("a sum without a value");
    }
    return sum;
  }

  @Nullable Object result() {
    return switch (aggregate.function()) {
      case COUNT -> count;
      case SUM, MIN, MAX -> value;
      case AVG -> value == null ? null : mean((Number) value);
    };
  }

  private double mean(Number sum) {
    return sum instanceof Double of
        ? of / count
        : Numbers.decimal(sum)
            .divide(BigDecimal.valueOf(count), MathContext.DECIMAL128)
            .doubleValue();
  }
}
