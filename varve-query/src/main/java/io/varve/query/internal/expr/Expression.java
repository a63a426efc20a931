package io.varve.query.internal.expr;

import io.varve.query.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a query computes of its rows. Immutable. Conditions are expressions whose value is true,
/// false or unknown, which is null.
///
/// A *source* is what a query reads of: number 0 is the table after `from`, and the next ones are
/// those that it is joined with. Each `exists` adds one for the elements that it walks through.
public sealed interface Expression {
  /// A value that is the same for all rows, as the program gave it.
  record Literal(@Nullable Object value) implements Expression {
    /// A condition that is true of all rows.
    public static final Literal TRUE = new Literal(true);
  }

  /// A value that is given before the query runs.
  ///
  /// @param name after the colon, or the number after the question mark
  /// @param type that texts are converted to; `Object` for as they are
  record Parameter(String name, Class<?> type) implements Expression {}

  /// An attribute of the value of a row.
  record Path(int source, Attribute<?, ?> attribute) implements Expression {}

  /// The key of a row.
  ///
  /// @param type of the keys; `Object` if it is not known
  record KeyPath(int source, Class<?> type) implements Expression {}

  /// The whole value of a row, or an element of an attribute with many values.
  ///
  /// @param type of the value; `Object` if it is not known
  record Self(int source, Class<?> type) implements Expression {
    /// A value of which no type is known.
    public Self(int source) {
      this(source, Object.class);
    }

    /// Without the type: definitions of indexes and tokens of pages have this text.
    @Override
    public String toString() {
      return "Self[source=" + source + "]";
    }
  }

  /// A value computed before: of a group, or of a row that is sorted.
  record Slot(int index) implements Expression {}

  /// An operator between numbers. Also adds durations to times.
  record Arithmetic(ArithmeticOperator operator, Expression left, Expression right)
      implements Expression {}

  /// The number with the other sign.
  record Negate(Expression value) implements Expression {}

  /// Two texts as one.
  record Concat(Expression left, Expression right) implements Expression {}

  /// A function of other values.
  record Call(Function function, List<Expression> arguments) implements Expression {}

  /// The value of the first branch whose condition is true.
  record Case(List<When> branches, Expression otherwise) implements Expression {
    /// One of these is the value.
    public List<Expression> values() {
      return Stream.concat(branches.stream().map(When::value), Stream.of(otherwise)).toList();
    }

    /// The same where a function makes another value of each.
    public Case withValues(UnaryOperator<Expression> by) {
      return new Case(
          branches.stream()
              .map(branch -> new When(branch.condition(), by.apply(branch.value())))
              .toList(),
          by.apply(otherwise));
    }
  }

  /// A branch of [Case].
  record When(Expression condition, Expression value) {}

  /// Compares two values; unknown if one of them is null.
  record Compare(Comparison comparison, Expression left, Expression right) implements Expression {}

  /// Whether a value is at least `low` and at most `high`.
  record Between(Expression value, Expression low, Expression high) implements Expression {}

  /// Whether a value is one of others. An item that is a list stands for its elements.
  ///
  /// @param constants the values of the items, if they are found without a row, or null
  record In(Expression value, List<Expression> items, @Nullable ConstantSet constants)
      implements Expression {
    /// Whether a value is one of those of items.
    public In(Expression value, List<Expression> items) {
      this(value, items, constants(items));
    }

    private static @Nullable ConstantSet constants(List<Expression> items) {
      List<@Nullable Object> literals = new ArrayList<>(items.size());
      for (Expression item : items) {
        if (!(item instanceof Literal(var literal))) {
          return null;
        }
        literals.add(literal);
      }
      return ConstantSet.of(literals);
    }
  }

  /// Whether a text has a form: `%` stands for any characters, `_` for one.
  record Like(Expression value, Expression pattern, @Nullable Expression escape)
      implements Expression {}

  /// Whether a value is null; never unknown.
  record IsNull(Expression value) implements Expression {}

  /// Whether an attribute with many values has none; never unknown.
  record IsEmpty(Expression collection) implements Expression {}

  /// Whether a condition is false.
  record Not(Expression condition) implements Expression {}

  /// Whether all of some conditions are true.
  record And(List<Expression> conditions) implements Expression {}

  /// Whether one of some conditions is true.
  record Or(List<Expression> conditions) implements Expression {}

  /// Whether an element of an attribute with many values equals a value.
  record MemberOf(Expression value, Expression collection) implements Expression {}

  /// Whether a condition is true of one of the elements of an attribute with many values.
  ///
  /// @param element the source that stands for the element in the condition
  record Exists(int element, Expression collection, Expression condition) implements Expression {}

  /// A value of all rows of a group.
  ///
  /// @param argument null for the count of rows
  record Aggregate(AggregateFunction function, boolean isDistinct, @Nullable Expression argument)
      implements Expression {}
}
