package io.varve.query.internal.parse;

import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.ArithmeticOperator;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Function;
import io.varve.query.internal.expr.Now;
import io.varve.query.internal.expr.Numbers;
import io.varve.query.internal.grammar.QueryParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/// Makes expressions of what is between operators: literals, parameters, attributes, calls.
final class PrimaryBuilder {
  /// What builds the parts that are expressions with operators.
  interface Parts {
    Expression condition(QueryParser.ConditionContext condition);

    /// A condition that decides, as that of `where`, which a text or a number does not.
    Expression truth(QueryParser.ConditionContext condition);

    /// What `size` counts.
    Expression collection(QueryParser.ConditionContext value);

    /// Whether two values are equal, each as the type of the other is.
    Expression equal(
        Expression left, ParserRuleContext leftPart, Expression right, ParserRuleContext rightPart);

    /// An expression without functions of groups.
    Expression ungrouped(QueryParser.ConditionContext condition);
  }

  /// The most parts that the operand of a `case` has in all branches together: in an operand of an
  /// operand they multiply.
  private static final int OPERAND_PARTS_MAX = 50_000;

  private final Parts expressions;
  private final Names names;
  private final boolean mayAggregate;

  PrimaryBuilder(Parts expressions, Names names, boolean mayAggregate) {
    this.expressions = expressions;
    this.names = names;
    this.mayAggregate = mayAggregate;
  }

  Expression primary(QueryParser.PrimaryContext primary) {
    return switch (primary) {
      case QueryParser.LiteralPrimaryContext part -> Literals.read(part.literal());
      case QueryParser.ParameterPrimaryContext part ->
          new Expression.Parameter(name(part.parameter()), Object.class);
      case QueryParser.NowPrimaryContext part ->
          (part.DATE() != null ? Now.DATE : part.TIME() != null ? Now.TIME : Now.DATE_TIME)
              .parameter();
      case QueryParser.CasePrimaryContext part -> choice(part);
      case QueryParser.CastPrimaryContext part -> cast(part);
      case QueryParser.ExtractPrimaryContext part -> extract(part);
      case QueryParser.TrimPrimaryContext part -> trim(part);
      case QueryParser.CallPrimaryContext part -> call(part);
      case QueryParser.PathPrimaryContext part -> names.resolve(part.path());
      case QueryParser.NestedPrimaryContext part -> expressions.condition(part.condition());
      default -> throw new IllegalStateException(primary.getText());
    };
  }

  static String name(QueryParser.ParameterContext parameter) {
    return parameter.name() == null
        ? parameter.INTEGER().getText()
        : Names.unquoted(parameter.name().getText());
  }

  /// The number with the other sign; of a literal that is a literal.
  static Expression negative(Expression value) {
    return value instanceof Expression.Literal(Number number)
        ? new Expression.Literal(
            number instanceof Float single
                ? (Number) (-single)
                : Numbers.calculate(ArithmeticOperator.SUBTRACT, 0L, number))
        : new Expression.Negate(value);
  }

  /// The path that a part is, or null if it is anything else.
  static QueryParser.@Nullable PathContext path(ParserRuleContext part) {
    ParseTree at = part;
    while (!(at instanceof QueryParser.PathContext) && at.getChildCount() == 1) {
      at = at.getChild(0);
    }
    return at instanceof QueryParser.PathContext path ? path : null;
  }

  /// The constant of an enum that a path names where no attribute has its name, or null.
  @Nullable Expression constant(ParserRuleContext part, Class<?> type) {
    QueryParser.PathContext path = type.isEnum() ? path(part) : null;
    if (path == null) {
      return null;
    }
    List<String> words = Names.words(path);
    if (names.find(path, words) != null) {
      return null;
    }
    return Literals.converted(new Expression.Literal(words.getLast()), type, part);
  }

  private Expression choice(QueryParser.CasePrimaryContext choice) {
    Expression operand = choice.operand == null ? null : operand(choice);
    List<Expression.When> branches = new ArrayList<>();
    for (QueryParser.WhenBranchContext branch : choice.whenBranch()) {
      QueryParser.ConditionContext when = branch.condition(0);
      Expression condition =
          operand == null ? expressions.truth(when) : equal(operand, choice.operand, when);
      branches.add(new Expression.When(condition, expressions.condition(branch.condition(1))));
    }
    Expression otherwise =
        choice.otherwise == null
            ? new Expression.Literal(null)
            : expressions.condition(choice.otherwise);
    return TimeTypes.alike(new Expression.Case(List.copyOf(branches), otherwise));
  }

  private Expression equal(
      Expression operand, ParserRuleContext part, QueryParser.ConditionContext when) {
    Expression constant = constant(when, Types.of(operand));
    return expressions.equal(
        operand, part, constant == null ? expressions.condition(when) : constant, when);
  }

  /// What each branch is compared with: it is a part of each of their conditions.
  private Expression operand(QueryParser.CasePrimaryContext choice) {
    Expression operand = expressions.condition(choice.operand);
    int branches = choice.whenBranch().size();
    AtomicInteger parts = new AtomicInteger();
    if (Expressions.contains(operand, _ -> parts.addAndGet(branches) > OPERAND_PARTS_MAX)) {
      throw Problems.at(
          choice.getStart(),
          "too many branches compare a long value",
          "at most " + OPERAND_PARTS_MAX + " parts of it");
    }
    return operand;
  }

  private Expression cast(QueryParser.CastPrimaryContext cast) {
    Function to =
        switch (cast.name().getText().toLowerCase(Locale.ROOT)) {
          case "string" -> Function.TO_STRING;
          case "integer", "int", "long" -> Function.TO_INTEGER;
          case "double", "float" -> Function.TO_DOUBLE;
          case "date" -> Function.DATE;
          case "time" -> Function.TIME;
          default ->
              throw Problems.at(
                  cast.name(), "no such type", "string, integer, long, float, double, date, time");
        };
    return new Expression.Call(to, List.of(expressions.condition(cast.condition())));
  }

  private Expression extract(QueryParser.ExtractPrimaryContext extract) {
    Function field =
        switch (extract.name().getText().toLowerCase(Locale.ROOT)) {
          case "year" -> Function.YEAR;
          case "quarter" -> Function.QUARTER;
          case "month" -> Function.MONTH;
          case "week" -> Function.WEEK;
          case "day" -> Function.DAY;
          case "hour" -> Function.HOUR;
          case "minute" -> Function.MINUTE;
          case "second" -> Function.SECOND;
          case "date" -> Function.DATE;
          case "time" -> Function.TIME;
          default ->
              throw Problems.at(
                  extract.name(),
                  "no such field of a time",
                  "year, quarter, month, week, day, hour, minute, second, date, time");
        };
    return new Expression.Call(field, List.of(expressions.condition(extract.condition())));
  }

  private Expression trim(QueryParser.TrimPrimaryContext trim) {
    Function function =
        trim.LEADING() != null
            ? Function.TRIM_LEADING
            : trim.TRAILING() != null ? Function.TRIM_TRAILING : Function.TRIM;
    List<Expression> arguments = new ArrayList<>();
    QueryParser.ConditionContext of = trim.from == null ? trim.what : trim.from;
    if (of == null) {
      throw Problems.at(trim, "nothing to trim", "a text");
    }
    arguments.add(expressions.condition(of));
    if (trim.from != null && trim.what != null) {
      arguments.add(expressions.condition(trim.what));
    }
    return new Expression.Call(function, List.copyOf(arguments));
  }

  private Expression call(QueryParser.CallPrimaryContext call) {
    String name = Names.unquoted(call.name().getText());
    AggregateFunction aggregate = FunctionNames.aggregate(name);
    if (aggregate != null) {
      return aggregate(call, aggregate);
    }
    if (call.STAR() != null || call.DISTINCT() != null) {
      throw Problems.at(call.name(), "no function of groups", "count, sum, avg, min, max");
    }
    if (name.equalsIgnoreCase("id") || name.equalsIgnoreCase("key")) {
      return key(call);
    }
    Function function = FunctionNames.function(name);
    if (function == null) {
      throw Problems.at(call.name(), "no such function", FunctionNames.nearest(name));
    }
    if (!function.takes(call.condition().size())) {
      throw Problems.at(
          call.name(), "a function takes another number of arguments", function.text());
    }
    List<Expression> arguments =
        call.condition().stream()
            .map(argument ->
                function == Function.SIZE
                    ? expressions.collection(argument)
                    : expressions.condition(argument))
            .toList();
    return new Expression.Call(
        function,
        switch (function) {
          case MOD -> NumberTypes.alike(arguments);
          case COALESCE -> oneOf(arguments);
          case NULLIF -> oneOf(nullif(arguments, call));
          default -> arguments;
        });
  }

  private static List<Expression> oneOf(List<Expression> arguments) {
    List<Expression> alike = NumberTypes.alike(TimeTypes.alike(arguments));
    return NumberTypes.compared(alike.getFirst(), alike.subList(1, alike.size()));
  }

  /// The arguments of `nullif`, which compares them.
  private static List<Expression> nullif(
      List<Expression> arguments, QueryParser.CallPrimaryContext call) {
    Expression of = arguments.getFirst();
    Expression other = arguments.getLast();
    return List.of(
        Literals.converted(of, Types.of(other), call.condition(0)),
        Literals.converted(other, Types.of(of), call.condition(1)));
  }

  /// `id(p)`, the key of the row of a source.
  private Expression key(QueryParser.CallPrimaryContext call) {
    QueryParser.PathContext path = call.condition().size() == 1 ? path(call.condition(0)) : null;
    Expression key = path == null ? null : names.key(String.join(".", Names.words(path)));
    if (key == null) {
      throw Problems.at(call, "no row that has a key", "id(this), or the alias of a table");
    }
    return key;
  }

  private Expression aggregate(QueryParser.CallPrimaryContext call, AggregateFunction function) {
    if (!mayAggregate) {
      throw Problems.at(call.name(), "a function of groups where rows are looked at", "having");
    }
    boolean isCountOfRows = function == AggregateFunction.COUNT && call.STAR() != null;
    if (!isCountOfRows && call.condition().size() != 1) {
      throw Problems.at(call, "a function of groups takes one argument", "an attribute");
    }
    Expression argument = isCountOfRows ? null : expressions.ungrouped(call.condition(0));
    boolean countsRows =
        function == AggregateFunction.COUNT
            && call.DISTINCT() == null
            && argument instanceof Expression.Self(int source, _)
            && source == 0;
    return new Expression.Aggregate(
        function, call.DISTINCT() != null, countsRows ? null : argument);
  }
}
