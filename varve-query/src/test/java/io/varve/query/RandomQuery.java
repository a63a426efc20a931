package io.varve.query;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Makes texts that are queries of Varve and of SQL, with one meaning, over tables `r` and `q` of
/// the columns that [OracleRow] has.
final class RandomQuery {
  private static final String[] COMPARISONS = {"=", "<>", "<", "<=", ">", ">="};

  private final RandomGenerator random;

  RandomQuery(RandomGenerator random) {
    this.random = random;
  }

  private String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /// A number of the row.
  private String number(String alias, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      String inner = number(alias, depth - 1);
      return switch (random.nextInt(9)) {
        case 0 -> "(" + inner + " + " + number(alias, depth - 1) + ")";
        case 1 -> "(" + inner + " - " + number(alias, depth - 1) + ")";
        case 2 -> "(" + inner + " * " + number(alias, depth - 1) + ")";
        case 3 -> "abs(" + inner + ")";
        case 4 -> "mod(" + alias + "a, 3)";
        case 5 -> "coalesce(" + inner + ", " + alias + "k)";
        case 6 -> "length(" + text(alias, depth - 1) + ")";
        case 7 -> "(case when " + condition(alias, 0) + " then " + inner + " else 1 end)";
        default -> "extract(month from " + alias + "d)";
      };
    }
    return switch (random.nextInt(4)) {
      case 0 -> alias + "a";
      case 1 -> alias + "b";
      case 2 -> alias + "k";
      default -> String.valueOf(random.nextInt(-4, 12) / (random.nextInt(4) == 0 ? 4.0 : 1.0));
    };
  }

  /// A text of the row.
  private String text(String alias, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      String inner = text(alias, depth - 1);
      return switch (random.nextInt(7)) {
        case 0 -> "upper(" + inner + ")";
        case 1 -> "lower(" + inner + ")";
        case 2 -> "(" + inner + " || " + text(alias, depth - 1) + ")";
        case 3 -> "substring(" + inner + ", 2, 2)";
        case 4 -> "trim(" + inner + ")";
        case 5 -> "coalesce(" + inner + ", 'none')";
        default -> "left(" + inner + ", 2)";
      };
    }
    return random.nextInt(3) > 0
        ? alias + "s"
        : oneOf("'a'", "'Ab'", "'bb'", "'cab'", "''", "'it''s'");
  }

  private String date() {
    return "'2020-0" + random.nextInt(1, 10) + "-1" + random.nextInt(10) + "'";
  }

  /// A condition of the row.
  String condition(String alias, int depth) {
    if (depth > 0 && random.nextInt(2) == 0) {
      return switch (random.nextInt(3)) {
        case 0 -> "(" + condition(alias, depth - 1) + " and " + condition(alias, depth - 1) + ")";
        case 1 -> "(" + condition(alias, depth - 1) + " or " + condition(alias, depth - 1) + ")";
        default -> "not (" + condition(alias, depth - 1) + ")";
      };
    }
    String not = oneOf("", "", "not ");
    return switch (random.nextInt(11)) {
      case 0, 1 -> number(alias, 2) + " " + oneOf(COMPARISONS) + " " + number(alias, 2);
      case 2 -> text(alias, 2) + " " + oneOf(COMPARISONS) + " " + text(alias, 2);
      case 3 -> alias + "d " + oneOf(COMPARISONS) + " " + date();
      case 4 -> alias + "f = " + oneOf("true", "false");
      case 5 ->
          number(alias, 1) + " " + not + "between " + number(alias, 1) + " and " + number(alias, 1);
      case 6 ->
          alias
              + oneOf("a", "k")
              + " "
              + not
              + "in ("
              + random.nextInt(9)
              + ", "
              + random.nextInt(9)
              + ", 3)";
      case 7 -> alias + "s " + not + "in ('a', 'bb', " + text(alias, 1) + ")";
      case 8 ->
          text(alias, 1)
              + " "
              + not
              + "like "
              + oneOf("'a%'", "'%b'", "'_a%'", "'%'", "'%a%b%'", "'cab'");
      case 9 -> alias + oneOf("a", "b", "s", "d", "f") + " is " + not + "null";
      default -> alias + "d " + not + "between " + date() + " and " + date();
    };
  }

  /// A query whose answers come in one order, or in any if it asks for that.
  String select() {
    String where = random.nextInt(5) == 0 ? "" : " where " + condition("", 3);
    return switch (random.nextInt(11)) {
      case 0 -> "select k, a, b, s, d, f from r" + where + " order by " + order() + part();
      case 1 ->
          "select k, "
              + number("", 2)
              + " as n, "
              + text("", 2)
              + " as t from r"
              + where
              + " order by k";
      case 2 -> "select distinct a, f from r" + where + " order by a, f" + part();
      case 3 ->
          "select count(*), count(a), sum(a), sum(b), min(s), max(d), count(distinct s) from r"
              + where;
      case 4 ->
          "select s, count(*), sum(a), avg(b), min(k) from r"
              + where
              + " group by s"
              + oneOf("", " having count(*) > 1", " having max(a) > 3")
              + " order by s";
      case 5 ->
          "select x.k, y.k from r x "
              + oneOf("join", "left join")
              + " q y on "
              + oneOf("x.a = y.a", "y.b = x.a", "x.s = y.s", "x.a = y.k and x.f = y.f")
              + oneOf("", " and " + condition("y.", 1))
              + (random.nextBoolean() ? " where " + condition("x.", 2) : "")
              + " order by x.k, y.k"
              + part();
      case 6 ->
          "select x.f, count(*) as n from r x, q y where x.k = y.k and "
              + condition("y.", 2)
              + " group by x.f order by x.f";
      case 7 -> "select a, s, d, k from r" + where + " order by s, k" + part();
      case 8 -> "select distinct d, s from r" + where + " order by d, s" + part();
      case 9 ->
          "select f, s, count(*), sum(a), min(d), max(k), count(distinct a) from r"
              + where
              + " group by f, s order by f, s"
              + part();
      default -> "select k from r where " + condition("", 4) + " order by k";
    };
  }

  private String order() {
    List<String> items = new ArrayList<>();
    for (int count = random.nextInt(3); count > 0; count--) {
      items.add(
          oneOf("a", "b", "s", "d", "f")
              + oneOf("", " asc", " desc", " nulls last", " desc nulls first"));
    }
    items.add("k" + oneOf("", " desc"));
    return String.join(", ", items);
  }

  private String part() {
    return oneOf("", " limit 3", " limit 5 offset 2", " offset 4");
  }

  /// A statement that changes the table `r`.
  String change() {
    String where = " where " + condition("", 2);
    return switch (random.nextInt(4)) {
      case 0 -> "delete from r" + where;
      case 1 -> "update r set a = null, s = " + text("", 1) + where;
      case 2 -> "update r set b = a + 0.25, f = " + oneOf("true", "null") + where;
      default -> "update r set a = coalesce(a, 0) + 1, d = " + date() + where;
    };
  }
}
