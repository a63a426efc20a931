package io.varve.query.internal.access;

import io.varve.query.Values;
import io.varve.query.internal.access.Conjunct.About;
import io.varve.query.internal.expr.Alternatives;
import io.varve.query.internal.expr.Comparison;
import io.varve.query.internal.expr.ConstantSet;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Function;
import io.varve.query.internal.expr.LikePattern;
import io.varve.query.internal.expr.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes a condition apart into conjuncts, and returns of each which values it wants of which
/// attribute.
final class Conjuncts {
  private static final Scope NO_ROW = Scope.of(null, null);
  private static final String ELEMENTS = "[]";

  /// Above it, the characters that follow are no longer all that come after in the order.
  private static final char LAST_PLAIN_CHARACTER = 0xd7fe;

  /// More gaps between values are not read one by one: the planner would not count them all, and
  /// few of them may have most rows.
  private static final int GAPS_MAX = 64;

  private Conjuncts() {}

  static List<Conjunct> of(Expression condition) {
    return taken(Alternatives.joined(condition));
  }

  private static List<Conjunct> taken(Expression condition) {
    List<Conjunct> conjuncts = new ArrayList<>();
    add(condition, conjuncts);
    return conjuncts;
  }

  private static void add(Expression condition, List<Conjunct> conjuncts) {
    switch (condition) {
      case Expression.And and -> {
        for (Expression part : and.conditions()) {
          add(part, conjuncts);
        }
      }
      case Expression.Literal(var value) when Boolean.TRUE.equals(value) -> {}
      case Expression.Not(Expression.Not(var inner)) -> add(inner, conjuncts);
      case Expression.Not(Expression.Or or) ->
          or.conditions().forEach(part -> add(new Expression.Not(part), conjuncts));
      case Expression.Or or -> conjuncts.add(anyOf(or));
      default -> conjuncts.add(one(condition, null));
    }
  }

  /// Whether all that it wants is values of one attribute, or rows that several indexes find.
  private static Conjunct anyOf(Expression.Or or) {
    List<List<Conjunct>> branches = new ArrayList<>();
    for (Expression branch : or.conditions()) { // no stream: it takes nine frames
      branches.add(taken(branch));
    }
    Conjunct first = null;
    List<Wanted> wanted = new ArrayList<>();
    for (List<Conjunct> branch : branches) {
      if (branch.size() != 1) {
        return Conjunct.anyOf(or, branches);
      }
      Conjunct next = branch.getFirst();
      boolean isValue = next.about() == About.VALUE || next.about() == About.KEY;
      first = first == null ? next : first;
      if (!isValue || !next.isAbout(first.about(), first.path())) {
        return Conjunct.anyOf(or, branches);
      }
      wanted.add(next.wanted());
    }
    return first == null
        ? Conjunct.other(or)
        : Conjunct.of(or, first.about(), first.path(), Wanted.anyOf(wanted));
  }

  /// @param element the source that stands for an element, which the condition is to be about, or
  ///   null for a row
  private static Conjunct one(Expression condition, @Nullable Integer element) {
    return switch (condition) {
      case Expression.Compare(var comparison, var left, var right) ->
          compare(condition, comparison, left, right, element);
      case Expression.Not(Expression.Compare(var comparison, var left, var right)) ->
          compare(condition, negated(comparison), left, right, element);
      case Expression.Between(var value, var low, var high) -> {
        if (!isConstant(low) || !isConstant(high)) {
          yield Conjunct.other(condition);
        }
        Object from = constant(low);
        Object to = constant(high);
        yield wanting(
            condition,
            value,
            element,
            from == null || to == null ? nothing() : Wanted.of(new Interval(from, true, to, true)));
      }
      case Expression.In(var value, var items, _) -> in(condition, value, items, element);
      case Expression.Not(Expression.In(var value, _, var constants)) when constants != null ->
          notIn(condition, value, constants, element);
      case Expression.Like like -> like(like, element);
      case Expression.IsNull(var value) -> wanting(condition, value, element, Wanted.NULLS);
      case Expression.Not(Expression.IsNull(var value)) ->
          wanting(condition, value, element, Wanted.of(Interval.ALL));
      case Expression.MemberOf(var value, Expression.Path path)
          when element == null && path.source() == 0 && isConstant(value) ->
          Conjunct.of(condition, About.ELEMENT, elementsPath(path), equal(constant(value)));
      case Expression.Exists(var number, Expression.Path path, var inner)
          when element == null && path.source() == 0 ->
          exists(condition, number, path, inner);
      default -> Conjunct.other(condition);
    };
  }

  /// The path whose elements an index has: that of documents may be written `tags` or `tags[]`.
  static String elementsPath(Expression.Path path) {
    return elementsPath(path.attribute().path());
  }

  static String elementsPath(String path) {
    return path.endsWith(ELEMENTS) ? path.substring(0, path.length() - ELEMENTS.length()) : path;
  }

  private static Conjunct compare(
      Expression condition,
      Comparison comparison,
      Expression left,
      Expression right,
      @Nullable Integer element) {
    if (isConstant(right)) {
      return compare(condition, comparison, left, constant(right), element);
    }
    if (isConstant(left)) {
      return compare(condition, comparison.mirrored(), right, constant(left), element);
    }
    return Conjunct.other(condition);
  }

  private static Conjunct compare(
      Expression condition,
      Comparison comparison,
      Expression value,
      @Nullable Object bound,
      @Nullable Integer element) {
    if (bound == null) {
      return wanting(condition, value, element, nothing());
    }
    List<Interval> intervals =
        switch (comparison) {
          case EQUAL -> List.of(Interval.point(bound));
          case NOT_EQUAL ->
              List.of(
                  new Interval(null, false, bound, false), new Interval(bound, false, null, false));
          case LESS -> List.of(new Interval(null, false, bound, false));
          case LESS_OR_EQUAL -> List.of(new Interval(null, false, bound, true));
          case GREATER -> List.of(new Interval(bound, false, null, false));
          case GREATER_OR_EQUAL -> List.of(new Interval(bound, true, null, false));
        };
    return wanting(condition, value, element, Wanted.of(false, intervals, true));
  }

  private static Comparison negated(Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> Comparison.NOT_EQUAL;
      case NOT_EQUAL -> Comparison.EQUAL;
      case LESS -> Comparison.GREATER_OR_EQUAL;
      case LESS_OR_EQUAL -> Comparison.GREATER;
      case GREATER -> Comparison.LESS_OR_EQUAL;
      case GREATER_OR_EQUAL -> Comparison.LESS;
    };
  }

  private static Conjunct in(
      Expression condition, Expression value, List<Expression> items, @Nullable Integer element) {
    List<Interval> points = new ArrayList<>();
    for (Expression item : items) {
      if (!isConstant(item)) {
        return Conjunct.other(condition);
      }
      Object constant = constant(item);
      if (constant instanceof List<?> list) {
        for (Object each : list) {
          if (each != null) {
            points.add(Interval.point(each));
          }
        }
      } else if (constant != null) {
        points.add(Interval.point(constant));
      }
    }
    return wanting(condition, value, element, Wanted.of(false, points, true));
  }

  /// The gaps between the values.
  private static Conjunct notIn(
      Expression condition, Expression value, ConstantSet constants, @Nullable Integer element) {
    if (constants.hasNull()) {
      return wanting(condition, value, element, nothing()); // it is false or unknown
    }
    int size = constants.values().size();
    if (size == 0) {
      return Conjunct.other(condition); // true of null as well
    }
    if (size >= GAPS_MAX) {
      return wanting(condition, value, element, Wanted.of(false, List.of(Interval.ALL), false));
    }
    List<Interval> gaps = new ArrayList<>();
    Object low = null;
    for (Object high : constants.values()) {
      gaps.add(new Interval(low, false, high, false));
      low = high;
    }
    gaps.add(new Interval(low, false, null, false));
    return wanting(condition, value, element, Wanted.of(false, gaps, true));
  }

  /// Texts that begin as the pattern does. Only for attributes of texts, as others are compared by
  /// the text that stands for them.
  private static Conjunct like(Expression.Like like, @Nullable Integer element) {
    boolean isText =
        like.value() instanceof Expression.Path path && path.attribute().type() == String.class;
    Expression escape = like.escape();
    if (!isText || !isConstant(like.pattern()) || (escape != null && !isConstant(escape))) {
      return Conjunct.other(like);
    }
    Object form = constant(like.pattern());
    if (form == null) {
      return wanting(like, like.value(), element, nothing());
    }
    Object sign = escape == null ? "" : constant(escape);
    if (!(form instanceof String text && sign instanceof String escapeText)) {
      return Conjunct.other(like);
    }
    LikePattern pattern = new LikePattern(text, escapeText);
    return wanting(like, like.value(), element, prefixed(pattern.prefix(), pattern.isPrefix()));
  }

  private static Wanted prefixed(String prefix, boolean isAll) {
    if (prefix.isEmpty()) {
      return Wanted.of(false, List.of(Interval.ALL), isAll);
    }
    int last = prefix.length() - 1;
    char end = prefix.charAt(last);
    if (end > LAST_PLAIN_CHARACTER) {
      return Wanted.of(false, List.of(new Interval(prefix, true, null, false)), false);
    }
    String after = prefix.substring(0, last) + (char) (end + 1);
    return Wanted.of(false, List.of(new Interval(prefix, true, after, false)), isAll);
  }

  private static Conjunct exists(
      Expression condition, int number, Expression.Path path, Expression inner) {
    Wanted wanted = null;
    boolean isExact = true;
    for (Expression part : Expressions.conjuncts(inner)) {
      Conjunct conjunct = one(part, number);
      if (conjunct.about() == About.ELEMENT) {
        wanted = wanted == null ? conjunct.wanted() : wanted.intersect(conjunct.wanted());
      } else {
        isExact = false;
      }
    }
    if (wanted == null) {
      return Conjunct.other(condition);
    }
    return Conjunct.of(
        condition,
        About.ELEMENT,
        elementsPath(path),
        new Wanted(wanted.nulls(), wanted.intervals(), wanted.isExact() && isExact));
  }

  private static Wanted equal(@Nullable Object value) {
    return value == null ? nothing() : Wanted.of(Interval.point(value));
  }

  private static Wanted nothing() {
    return new Wanted(false, List.of(), true);
  }

  private static Conjunct wanting(
      Expression condition, Expression subject, @Nullable Integer element, Wanted wanted) {
    return switch (subject) {
      case Expression.Self self when element != null && self.source() == element ->
          Conjunct.of(condition, About.ELEMENT, "", wanted);
      case Expression.Path path
          when element == null && path.source() == 0 && !path.attribute().isMany() ->
          Conjunct.of(condition, About.VALUE, path.attribute().path(), wanted);
      case Expression.KeyPath key when element == null && key.source() == 0 ->
          Conjunct.of(condition, About.KEY, "", wanted);
      case Expression.Call call when element == null && wanted.arePoints() && !wanted.nulls() ->
          folded(condition, call, wanted);
      default -> Conjunct.other(condition);
    };
  }

  private static Conjunct folded(Expression condition, Expression.Call call, Wanted wanted) {
    boolean isCase = call.function() == Function.LOWER || call.function() == Function.UPPER;
    return isCase
            && call.arguments().getFirst() instanceof Expression.Path path
            && path.source() == 0
            && path.attribute().type() == String.class
            && !path.attribute().isMany()
        ? Conjunct.of(
            condition,
            About.FOLDED,
            path.attribute().path(),
            new Wanted(false, wanted.intervals(), false))
        : Conjunct.other(condition);
  }

  /// Whether an expression has the same value for all rows.
  private static boolean isConstant(Expression expression) {
    return !Expressions.contains(
        expression,
        part ->
            switch (part) {
              case Expression.Path _,
                  Expression.KeyPath _,
                  Expression.Self _,
                  Expression.Slot _,
                  Expression.Parameter _,
                  Expression.Aggregate _ ->
                  true;
              default -> false;
            });
  }

  private static @Nullable Object constant(Expression expression) {
    return Values.normal(Evaluation.value(expression, NO_ROW));
  }
}
