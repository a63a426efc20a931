package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts that are queries, and texts that are none: an error names the position, what was found and
/// what was expected. Any text at all is a statement or a [QueryException].
class QueryTextTest {
  private static final Table<String, Person> PEOPLE =
      Table.of("people", Codec.string(), JsonCodec.of(Person.class));

  private Store store;
  private Queries queries;

  @BeforeEach
  @BeforeProperty
  void open() {
    store = Store.inMemory();
    queries = Queries.of(store).table(PEOPLE, Entity.of(Person.class));
  }

  @AfterEach
  @AfterProperty
  void close() {
    store.close();
  }

  /// What is compared with values of several types is of none of them.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "from people where 5 in (name, age)",
        "from people where 'five' in (age, name)",
        "from people where 'five' in (level, name)",
        "from people where coalesce(level, 'none') = level or age = 5",
        "from people where case when active then '-' else token end = token or age = 5"
      })
  void aValueMayMeetSeveralTypes(String text) {
    store.open(PEOPLE).put("a", Person.of("a", "five", null, 5));
    store.open(PEOPLE).put("b", Person.of("b", "six", null, 6));
    assertThat(queries.query(text).list()).as(text).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from people",
        "from people;",
        "delete from people where age > 3 ; /* the end */ ",
        "",
        "where age > 3 order by name",
        "SELECT DISTINCT p.name FROM people AS p",
        "select this from people",
        "select * from people p where p.address.street = 'x'",
        "from people where age != 3 and not (age = 4 or not not active)",
        "from people where active",
        "from people where case when age = 1 then active when age = 2 then null else true end",
        "from people where coalesce(null, active, age = 1) and nullif(active, :a)",
        "select city from people group by city having min(active)",
        "from people where -age < - -3 + 2 * (4 - 1) / 2 % 5",
        "from people where name like 'a!%' escape '!'",
        "from people where level = Level.HIGH and level <> io.varve.query.Person.Level.LOW",
        "from people where trim(both 'x' from name) = trim(leading from name) || ltrim(name)",
        "select cast(age as string), extract(year from born), local datetime from people",
        "select case level when HIGH then 1 else 0 end from people",
        "select count(distinct city) as cities, max(age) from people having count(*) > 1",
        "select city from people group by city order by count(*) desc nulls last limit :n offset"
            + " ?1",
        "update people p set p.city = null, age = coalesce(p.age, 1) where p.city in :cities",
        "update people set level = HIGH",
        "delete from people",
        "delete people where id(this) = '1'",
        "select \"name\", `city` from people /* a comment */",
        "select 1L, 2BI, 1.5, .5e3, 1f, 1.25d, 3.5bd, true, null, 'it''s' from people",
        "select first.name from people first join people last on first.city = last.city"
      })
  void queriesAreRead(String text) {
    assertThat(queries.query(text)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "from people where agee > 3 | 1 | 19 | agee | age",
        "from people p where p.nmae = 'x' | 1 | 21 | p.nmae | name",
        "from people where adress.street = 'x' | 1 | 19 | adress.street | address.street",
        "from poeple | 1 | 6 | poeple | people",
        "from people where | 1 | 18 | end of the query | a value, exists, not, (",
        "from people where age > | 1 | 24 | end of the query | a value, (",
        "from people limit | 1 | 18 | end of the query | a value, (",
        "from people limit 'x' | 1 | 19 | 'x' | a whole number or a parameter",
        "from people where age = 'young' | 1 | 25 | 'young' | Integer",
        "from people where born = 'today' | 1 | 26 | 'today' | LocalDate",
        "from people where level = 'TOP' | 1 | 27 | 'TOP' | Level",
        "from people where token = '12' | 1 | 27 | '12' | UUID",
        "from people where city = 'Bonn' or 'Ulm' | 1 | 36 | 'Ulm' | a condition",
        "delete from people where age | 1 | 26 | age | a condition",
        "from people where not (name) and age > 3 | 1 | 19 | not (name) | a condition",
        "from people where length(name) or age = 1 | 1 | 19 | length(name) | a condition",
        "from people where - age | 1 | 19 | - age | a condition",
        "from people where born | 1 | 19 | born | a condition",
        "from people where token and active | 1 | 19 | token | a condition",
        "from people where not id(this) | 1 | 19 | not id(this) | a condition",
        "from people where active or address | 1 | 29 | address | a condition",
        "from people where tags | 1 | 19 | tags | a condition",
        "from people where this | 1 | 19 | this | a condition",
        "from people p where not p or active | 1 | 21 | not p | a condition",
        "from people where local date | 1 | 19 | local date | a condition",
        "from people where case when active then true else city end | 1 | 19"
            + " | case when active then true else city end | a condition",
        "from people where coalesce(active, 'no') | 1 | 19 | coalesce(active, 'no') | a condition",
        "from people where exists (from orders o where item) | 1 | 47 | item | a condition",
        "from people where case when age then true end | 1 | 29 | age | a condition",
        "from people where case when age = 1 then 2 else 3 end | 1 | 19"
            + " | case when age = 1 then 2 else 3 end | a condition",
        "select 1 from people group by age having count(*) | 1 | 42 | count(*) | a condition",
        "select 1 from people a join people b on a.age | 1 | 41 | a.age | a condition",
        "from people where uper(name) = 'X' | 1 | 19 | uper | upper",
        "from people where abs(1, 2) = 1 | 1 | 19 | abs | abs",
        "from people where count(*) = 1 | 1 | 19 | count | having",
        "select name, count(*) from people | 1 | 1 | select | group by name",
        "from people where 'x' member of name | 1 | 33 | name | an attribute with many values",
        "update people set id = '3' | 1 | 19 | id | an attribute",
        "update people set age = 1, age = 2 | 1 | 28 | age | another attribute",
        "from people p join people p on 1 = 1 | 1 | 20 | people p | an alias",
        "from people where exists (from orders o where id(o) = 'x') | 1 | 47 | id(o) | id(this), or"
            + " the alias of a table",
        "select id(x) from people | 1 | 8 | id(x) | id(this), or the alias of a table",
        "select a.name from people a, people b where city = 'x' | 1 | 45 | city | alias.city",
        "select cast(age as money) from people | 1 | 20 | money | string, integer, long, float,"
            + " double, date, time"
      })
  void errorsNameThePlace(String text, int line, int column, String found, String expected) {
    QueryException e = refusal(text);
    assertThat(e.line()).isEqualTo(line);
    assertThat(e.found()).as(e.getMessage()).isEqualTo(found);
    assertThat(e.column()).as(e.getMessage()).isEqualTo(column);
    assertThat(e.expected()).as(e.getMessage()).isEqualTo(expected);
    assertThat(e)
        .hasMessageContaining("line=" + line + ", column=" + column + ", found=" + e.found());
  }

  private QueryException refusal(String text) {
    QueryException e = catchThrowableOfType(QueryException.class, () -> queries.query(text));
    assertThat(e).as(text).isNotNull();
    return e;
  }

  @Test
  void linesAreCounted() {
    QueryException e = refusal("from people\nwhere city = 'Bonn'\n  ord by age");
    assertThat(e.line()).isEqualTo(3);
    assertThat(e.column()).isEqualTo(3);
    assertThat(e.found()).isEqualTo("ord");
    assertThat(e.expected()).contains("order", "and", "or", "limit");
    assertThat(refusal("from people where name = 'x").getMessage())
        .startsWith("a string has no end");
  }

  /// Each start of a comment looked for its end: this took minutes, and longer texts hours.
  @Test
  void aCommentWithoutAnEndIsReadOnce() {
    assertThat(refusal("from people " + "; /*".repeat(50_000)).getMessage())
        .startsWith("the query is not understood: line=1, column=13, found=;");
    assertThat(refusal("from people /* a ** /;").getMessage())
        .startsWith("a comment has no end: line=1, column=13, found=/* a ** /;");
    assertThat(refusal("from people; /* a */ b /* c */").found()).isEqualTo(";");
    assertThat(refusal("from people; from people").found()).isEqualTo(";");
  }

  /// Guards the stack: without the bounds, each of these texts is a StackOverflowError.
  @Test
  void textsThatNestOrRepeatWithoutEndAreRefused() {
    assertThat(refusal("from people where " + "(".repeat(5000) + "1").getMessage())
        .startsWith("the query nests too deep");
    assertThat(refusal("from people where " + "case when ".repeat(5000) + "1").getMessage())
        .startsWith("the query nests too deep");
    assertThat(refusal("from people where age = 1" + " + 1".repeat(5000)).getMessage())
        .startsWith("too many operators in a row");
    assertThat(
            refusal(
                    "from people where x"
                        + ".end".repeat(2000)
                        + " = 1 and "
                        + "(".repeat(2000)
                        + "active"
                        + ")".repeat(2000))
                .getMessage())
        .startsWith("the query nests too deep");
    String sums = "(".repeat(24) + "age" + (" + 1".repeat(990) + ")").repeat(24);
    assertThat(refusal("from people where " + sums + " > 1").getMessage())
        .startsWith("too many operators in a row");
    assertThat(refusal("from people where " + "not ".repeat(60_000) + "active").getMessage())
        .startsWith("the query is too long");
    assertThat(refusal("from people where age = 1e99999").getMessage())
        .startsWith("a number is out of range");
    String many = "from people where age = 1" + " or age = 2".repeat(5000);
    assertThat(queries.query(many).list()).isEmpty();
    assertThat(
            queries
                .query(
                    "from people where "
                        + "not ".repeat(999)
                        + "(".repeat(99)
                        + "active"
                        + ")".repeat(99))
                .list())
        .isEmpty();
  }

  /// Without their bounds, each of these texts takes twice the time for one level more.
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void textsThatNestAreReadOnce() {
    assertThat(
            refusal("from people where " + "1 = (".repeat(90) + "none" + ")".repeat(90))
                .getMessage())
        .startsWith("no such attribute");
    String choices = "case ".repeat(60) + "age" + " when 1 then 1 when 2 then 2 end".repeat(60);
    assertThat(refusal("from people where " + choices + " = 1").getMessage())
        .startsWith("too many branches compare a long value");
    String few = "case ".repeat(8) + "age" + " when 36 then 36 when 2 then 2 end".repeat(8);
    assertThat(queries.query("from people where " + few + " = 36").list()).isEmpty();
  }

  @Property(tries = 1000)
  void anyTextIsAStatementOrRefused(@ForAll String text) {
    understood(text);
  }

  @Property(tries = 1500)
  void anyWordsAreAStatementOrRefused(@ForAll("words") String text) {
    understood(text);
  }

  @Provide
  Arbitrary<String> words() {
    return Arbitraries.of(
            "select",
            "distinct",
            "from",
            "people",
            "p",
            "where",
            "and",
            "or",
            "not",
            "in",
            "(",
            ")",
            "=",
            "<>",
            "<",
            "like",
            "between",
            "is",
            "null",
            "empty",
            "member",
            "of",
            "exists",
            "age",
            "name",
            "tags",
            "orders",
            "'x'",
            "1",
            "1.5",
            ":a",
            "?1",
            "+",
            "-",
            "*",
            "||",
            ",",
            ".",
            "group",
            "by",
            "having",
            "order",
            "asc",
            "desc",
            "nulls",
            "first",
            "limit",
            "offset",
            "count",
            "sum",
            "id",
            "this",
            "case",
            "when",
            "then",
            "else",
            "end",
            "join",
            "left",
            "on",
            "update",
            "set",
            "delete",
            "local",
            "date",
            "trim",
            "cast",
            "as",
            "string",
            "[]",
            "\"",
            "'")
        .list()
        .ofMinSize(1)
        .ofMaxSize(25)
        .map(words -> String.join(" ", words));
  }

  private void understood(String text) {
    try {
      assertThat(queries.query(text)).isNotNull();
    } catch (QueryException e) {
      assertThat(e.line()).isPositive();
      assertThat(e.column()).isPositive();
    }
  }
}
