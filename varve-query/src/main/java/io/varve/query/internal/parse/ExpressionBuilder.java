package io.varve.query.internal.parse;

import io.varve.query.Entity;
import io.varve.query.internal.expr.ArithmeticOperator;
import io.varve.query.internal.expr.Comparison;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.grammar.QueryParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/// Makes expressions of conditions and values.
final class ExpressionBuilder implements PrimaryBuilder.Parts {
  /// The most operators between values, together with those of the values around brackets: each
  /// nests the ones before, so an expression is no deeper than these and its brackets.
  private static final int OPERATORS_MAX = 1000;

  private final Names names;
  private final Sources sources;
  private final PrimaryBuilder primaries;

  /// A builder where names mean that.
  ///
  /// @param mayAggregate whether functions of groups may occur here
  ExpressionBuilder(Names names, Sources sources, boolean mayAggregate) {
    this.names = names;
    this.sources = sources;
    this.primaries = new PrimaryBuilder(this, names, mayAggregate);
  }

  @Override
  public Expression ungrouped(QueryParser.ConditionContext condition) {
    return new ExpressionBuilder(names, sources, false).condition(condition);
  }

  @Override
  public Expression condition(QueryParser.ConditionContext condition) {
    List<QueryParser.ConjunctionContext> parts = condition.conjunction();
    if (parts.size() == 1) {
      return conjunction(parts.getFirst());
    }
    return Expressions.or(parts.stream().map(part -> truth(conjunction(part), part)).toList());
  }

  @Override
  public Expression truth(QueryParser.ConditionContext condition) {
    return truth(condition(condition), condition);
  }

  /// @throws io.varve.query.QueryException if the value is known to be neither true nor false
  private static Expression truth(Expression value, ParserRuleContext part) {
    if (!Types.mayBeTrue(value)) {
      throw Problems.at(part, "the value is neither true nor false", "a condition");
    }
    return value;
  }

  private Expression conjunction(QueryParser.ConjunctionContext conjunction) {
    List<QueryParser.NegationContext> parts = conjunction.negation();
    if (parts.size() == 1) {
      return negation(parts.getFirst());
    }
    return Expressions.and(parts.stream().map(part -> truth(negation(part), part)).toList());
  }

  private Expression negation(QueryParser.NegationContext negation) {
    Expression predicate = predicate(negation.predicate());
    return negation.NOT().isEmpty()
        ? predicate
        : negated(truth(predicate, negation), negation.NOT().size() % 2 == 1);
  }

  private static Expression negated(Expression condition, boolean isNegated) {
    return isNegated ? new Expression.Not(condition) : condition;
  }

  private static Expression negated(Expression condition, @Nullable TerminalNode not) {
    return negated(condition, not != null);
  }

  private Expression predicate(QueryParser.PredicateContext predicate) {
    if (predicate.EXISTS() != null) {
      return exists(predicate);
    }
    QueryParser.ValueContext value = predicate.value();
    return switch (predicate.test()) {
      case null -> value(value);
      case QueryParser.CompareTestContext test -> compare(value, test);
      case QueryParser.BetweenTestContext test -> between(value, test);
      case QueryParser.InTestContext test -> in(value, test);
      case QueryParser.LikeTestContext test -> like(value, test);
      case QueryParser.MemberTestContext test -> member(value, test);
      case QueryParser.IsTestContext test ->
          test.EMPTY() == null
              ? negated(isNull(value(value)), test.NOT())
              : negated(new Expression.IsEmpty(collection(value)), test.NOT());
      default -> throw new IllegalStateException(predicate.getText());
    };
  }

  /// An attribute with many values is null where it has none. It is no value of its own.
  private static Expression isNull(Expression value) {
    return value instanceof Expression.Path path && path.attribute().isMany()
        ? new Expression.IsEmpty(value)
        : new Expression.IsNull(value);
  }

  private Expression compare(QueryParser.ValueContext value, QueryParser.CompareTestContext test) {
    Expression left;
    Expression right;
    QueryParser.PathContext path = PrimaryBuilder.path(value);
    if (path != null && names.find(path, Names.words(path)) == null) {
      right = value(test.value());
      Expression constant = primaries.constant(value, Types.of(right));
      left = constant == null ? value(value) : constant;
    } else {
      left = value(value);
      right = constantOr(test.value(), Types.of(left));
    }
    return compare(comparison(test.comparison().getStart()), left, value, right, test.value());
  }

  @Override
  public Expression equal(
      Expression left, ParserRuleContext leftPart, Expression right, ParserRuleContext rightPart) {
    return compare(Comparison.EQUAL, left, leftPart, right, rightPart);
  }

  /// Compares two values. What the query contains of each is converted to the type of the other.
  private static Expression compare(
      Comparison comparison,
      Expression left,
      ParserRuleContext leftPart,
      Expression right,
      ParserRuleContext rightPart) {
    List<Expression> sides =
        compared(
            Literals.converted(left, Types.of(right), leftPart),
            List.of(Literals.converted(right, Types.of(left), rightPart)));
    requireComparable(sides.getFirst(), sides.subList(1, 2), leftPart);
    return new Expression.Compare(comparison, sides.getFirst(), sides.getLast());
  }

  /// A value and those that it is compared with: numbers are as exact as any of them, and times are
  /// points in time if one of them is.
  private static List<Expression> compared(Expression of, List<Expression> others) {
    List<Expression> alike = TimeTypes.compared(of, others);
    return NumberTypes.compared(alike.getFirst(), alike.subList(1, alike.size()));
  }

  /// A date has no zone that makes it a point in time. Each of one kind is less than each of the
  /// other in the order of all values, which no query means.
  private static void requireComparable(
      Expression of, List<Expression> others, ParserRuleContext part) {
    if (TimeTypes.areApart(of, others)) {
      throw Problems.at(
          part,
          "a point in time does not compare with a date, which has no zone",
          "times of one kind");
    }
  }

  private static Comparison comparison(Token token) {
    return switch (token.getType()) {
      case QueryParser.EQ -> Comparison.EQUAL;
      case QueryParser.NE -> Comparison.NOT_EQUAL;
      case QueryParser.LT -> Comparison.LESS;
      case QueryParser.LE -> Comparison.LESS_OR_EQUAL;
      case QueryParser.GT -> Comparison.GREATER;
      default -> Comparison.GREATER_OR_EQUAL;
    };
  }

  /// A value that is compared with one of a type: of an enum, a name may be a constant.
  private Expression constantOr(QueryParser.ValueContext value, Class<?> type) {
    Expression constant = primaries.constant(value, type);
    return Literals.converted(constant == null ? value(value) : constant, type, value);
  }

  /// Bounds of two kinds of times are compared one by one, each with a value of its kind.
  private Expression between(QueryParser.ValueContext value, QueryParser.BetweenTestContext test) {
    Expression of = value(value);
    Class<?> type = Types.of(of);
    List<Expression> bounds =
        List.of(constantOr(test.value(0), type), constantOr(test.value(1), type));
    if (TimeTypes.kinds(of, bounds).size() > 1) {
      Expression low =
          compare(Comparison.GREATER_OR_EQUAL, of, value, bounds.getFirst(), test.value(0));
      Expression high =
          compare(Comparison.LESS_OR_EQUAL, of, value, bounds.getLast(), test.value(1));
      return negated(Expressions.and(List.of(low, high)), test.NOT());
    }
    List<Expression> alike = alike(of, known(bounds).findFirst(), value, bounds);
    requireComparable(alike.getFirst(), alike.subList(1, 2), value);
    requireComparable(alike.getFirst(), alike.subList(2, 3), value);
    return negated(new Expression.Between(alike.get(0), alike.get(1), alike.get(2)), test.NOT());
  }

  private Expression in(QueryParser.ValueContext value, QueryParser.InTestContext test) {
    Expression of = value(value);
    Class<?> type = Types.of(of);
    List<Expression> items = new ArrayList<>();
    if (test.parameter() != null) {
      items.add(new Expression.Parameter(PrimaryBuilder.name(test.parameter()), type));
    }
    for (QueryParser.ConditionContext item : test.condition()) {
      Expression constant = primaries.constant(item, type);
      items.add(Literals.converted(constant == null ? condition(item) : constant, type, item));
    }
    List<Expression> kinds =
        TimeTypes.kinds(of, items).stream()
            .map(kind -> alike(of, onlyType(kind), value, kind))
            .<Expression>map(all -> in(all.getFirst(), all.subList(1, all.size()), value))
            .toList();
    return negated(Expressions.or(kinds), test.NOT());
  }

  private static Expression in(Expression of, List<Expression> items, ParserRuleContext part) {
    requireComparable(of, items, part);
    return new Expression.In(of, List.copyOf(items));
  }

  /// A value and those that it is compared with. What the query contains of it has their type.
  private static List<Expression> alike(
      Expression of,
      Optional<Class<?>> type,
      QueryParser.ValueContext value,
      List<Expression> others) {
    Class<?> time = TimeTypes.common(others);
    Class<?> wanted = time == Object.class ? type.orElse(Object.class) : time;
    return compared(Literals.converted(of, wanted, value), others);
  }

  private static Stream<Class<?>> known(List<Expression> values) {
    return values.stream().<Class<?>>map(Types::of).filter(type -> type != Object.class);
  }

  /// The type of values that have one in common: what is compared with those of several types is of
  /// none of them.
  private static Optional<Class<?>> onlyType(List<Expression> values) {
    return known(values).distinct().count() == 1 ? known(values).findFirst() : Optional.empty();
  }

  private Expression like(QueryParser.ValueContext value, QueryParser.LikeTestContext test) {
    Expression escape = test.value().size() == 1 ? null : value(test.value(1));
    return negated(new Expression.Like(value(value), value(test.value(0)), escape), test.NOT());
  }

  private Expression member(QueryParser.ValueContext value, QueryParser.MemberTestContext test) {
    Expression collection = sources.collection(names, test.path());
    Expression element = constantOr(value, Types.of(collection));
    Expression alike = NumberTypes.compared(collection, List.of(element)).getLast();
    return negated(new Expression.MemberOf(alike, collection), test.NOT());
  }

  private Expression collection(QueryParser.ValueContext value) {
    QueryParser.PathContext path = PrimaryBuilder.path(value);
    if (path == null) {
      throw Problems.at(value, "only an attribute can be empty", "an attribute with many values");
    }
    return sources.collection(names, path);
  }

  @Override
  public Expression collection(QueryParser.ConditionContext value) {
    QueryParser.PathContext path = PrimaryBuilder.path(value);
    if (path == null) {
      throw Problems.at(value, "only an attribute has a size", "an attribute with many values");
    }
    return sources.collection(names, path);
  }

  private Expression exists(QueryParser.PredicateContext exists) {
    Expression collection = sources.collection(names, exists.path());
    Names inner = new Names(names);
    int number = sources.nextElement();
    String alias = exists.alias() == null ? "this" : Names.unquoted(exists.alias().getText());
    Entity<?> elements = sources.elementsOf(collection);
    sources.remember(number, elements);
    inner.add(exists, new Names.Range(alias, exists.alias() != null, number, elements, false));
    ExpressionBuilder builder = new ExpressionBuilder(inner, sources, false);
    if (exists.condition() != null) {
      builder.condition(exists.condition()); // its names are checked; each element is one answer
    }
    Expression where =
        exists.whereClause() == null
            ? Expression.Literal.TRUE
            : builder.truth(exists.whereClause().condition());
    return new Expression.Exists(number, collection, where);
  }

  Expression value(QueryParser.ValueContext value) {
    checkOperators(value);
    Expression result = term(value.term(0));
    for (int index = 1; index < value.term().size(); index++) {
      Expression right = term(value.term(index));
      Token operator = ((TerminalNode) value.getChild(2 * index - 1)).getSymbol();
      result =
          switch (operator.getType()) {
            case QueryParser.PLUS -> arithmetic(ArithmeticOperator.ADD, result, right);
            case QueryParser.MINUS -> arithmetic(ArithmeticOperator.SUBTRACT, result, right);
            default -> new Expression.Concat(result, right);
          };
    }
    return result;
  }

  private Expression term(QueryParser.TermContext term) {
    checkOperators(term);
    Expression result = factor(term.factor(0));
    for (int index = 1; index < term.factor().size(); index++) {
      Token operator = ((TerminalNode) term.getChild(2 * index - 1)).getSymbol();
      ArithmeticOperator by =
          switch (operator.getType()) {
            case QueryParser.STAR -> ArithmeticOperator.MULTIPLY;
            case QueryParser.SLASH -> ArithmeticOperator.DIVIDE;
            default -> ArithmeticOperator.REMAINDER;
          };
      result = arithmetic(by, result, factor(term.factor(index)));
    }
    return result;
  }

  private static Expression arithmetic(
      ArithmeticOperator operator, Expression left, Expression right) {
    List<Expression> sides = NumberTypes.alike(TimeTypes.operands(operator, left, right));
    return new Expression.Arithmetic(operator, sides.getFirst(), sides.getLast());
  }

  /// Refuses a part that has too many operators, with those of the parts that it is in.
  private static void checkOperators(ParserRuleContext part) {
    if (part.getChildCount() == 1) {
      return;
    }
    int operators = 0;
    for (RuleContext at = part; at != null; at = at.getParent()) {
      if (at instanceof QueryParser.ValueContext || at instanceof QueryParser.TermContext) {
        operators += at.getChildCount() / 2;
      }
    }
    if (operators >= OPERATORS_MAX) {
      throw Problems.at(part.getStart(), "too many operators in a row", "at most " + OPERATORS_MAX);
    }
  }

  private Expression factor(QueryParser.FactorContext factor) {
    Expression primary = primaries.primary(factor.primary());
    return factor.MINUS().size() % 2 == 0 ? primary : PrimaryBuilder.negative(primary);
  }
}
