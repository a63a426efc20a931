package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The value of each operator and function of one row, with nulls and mixed types.
class ExpressionsTest {
  private static final Table<String, JsonNode> ROWS =
      Table.of("rows", Codec.string(), JsonCodec.of(JsonNode.class));

  private static Store store;
  private static Queries queries;

  @BeforeAll
  static void fill() {
    store = Store.inMemory();
    store
        .open(ROWS)
        .put(
            "k",
            new JsonMapper()
                .readTree(
                    """
                    {"n": null, "i": 7, "d": 2.5, "s": "Grüße", "t": true, "b": "", "l": [1, "x", null],
                     "o": {"deep": {"er": 3}}, "day": "2026-05-17", "big": 123456789012345678901234567890}
                    """));
    queries =
        Queries.of(store)
            .table(ROWS, Entity.documents("Row"))
            .withClock(Clock.fixed(Instant.parse("2026-05-17T10:20:30Z"), ZoneOffset.UTC));
  }

  @AfterAll
  static void close() {
    assertThat(store.verify().isSound()).isTrue();
    store.close();
  }

  private static Object value(String expression) {
    return queries.query("select " + expression + " from rows").list().getFirst().get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "NULL",
      value = {
        "i + 1 | 8",
        "i + d | 9.5",
        "i / 2 | 3",
        "-i / 2 | -3",
        "i / 2.0 | 3.5",
        "i % 4 | 3",
        "i / 0 | NULL",
        "mod(i, 0) | NULL",
        "i + n | NULL",
        "9223372036854775807 + 1 | 9223372036854775808",
        "big + 1 | 123456789012345678901234567891",
        "1bd / 3 | 0.3333333333333333333333333333333333",
        "-(-i) | 7",
        "2 + 3 * 4 - 1 | 13",
        "(2 + 3) * 4 | 20",
        "abs(-d) | 2.5",
        "ceiling(d) | 3.0",
        "floor(-d) | -3.0",
        "round(d) | 3.0",
        "round(1.255bd, 2) | 1.26",
        "round(i, -1) | 10",
        "sign(-d) | -1",
        "sqrt(i + 2) | 3.0",
        "sqrt(-1) | NULL",
        "exp(0) | 1.0",
        "ln(1) | 0.0",
        "power(2, 10) | 1024.0",
        "length(s) | 5",
        "upper(s) | GRÜSSE",
        "lower(s) | grüße",
        "left(s, 2) | Gr",
        "right(s, 2) | ße",
        "right(s, 99) | Grüße",
        "substring(s, 2) | rüße",
        "substring(s, 0, 3) | Gr",
        "substring(s, 4, 99) | ße",
        "substring(s, 2, 9223372036854775807) | rüße",
        "substring(s, -9223372036854775807 - 1) | Grüße",
        "substring(s, 99999999999999999999, 2) | \"\"",
        "left(s, 99999999999999999999) | Grüße",
        "right(s, -99999999999999999999) | \"\"",
        "locate('r', s, 99999999999999999999) | 0",
        "locate('r', s, -99999999999999999999) | 2",
        "locate('ü', s) | 3",
        "locate('x', s) | 0",
        "locate('r', 'rar', 2) | 3",
        "replace(s, 'ü', 'u') | Gruße",
        "concat(s, i, t) | Grüße7true",
        "\"s || d\" | Grüße2.5",
        "\"s || n\" | NULL",
        "concat(s, n) | NULL",
        "trim('  a ') | a",
        "trim(leading 'x' from 'xxaxx') | axx",
        "trim(trailing 'x' from 'xxaxx') | xxa",
        "trim('x' from 'xxaxx') | a",
        "trim('xy' from 'xyxxyyxy') | xxyy",
        "trim('xx' from 'xxx') | x",
        "trim('' from ' a ') | \" a \"",
        "length(trim('    ')) | 0",
        "length(b) | 0",
        "coalesce(n, o.none, i) | 7",
        "nullif(i, 7.0) | NULL",
        "nullif(i, n) | 7",
        "o.deep.er | 3",
        "o.deep.none | NULL",
        "size(l) | 2",
        "id(this) | k",
        "key(rows) | k",
        "case when n then 1 when t then 2 end | 2",
        "case i when 6 then 'six' when 7.0 then 'seven' else 'other' end | seven",
        "case when false then 1 end | NULL",
        "cast(i as string) | 7",
        "cast('12' as integer) | 12",
        "cast('99999999999999999999.5' as integer) | 99999999999999999999",
        "cast(-1e20 as integer) | -100000000000000000000",
        "cast(power(10, 400) as integer) | NULL",
        "cast(d as integer) | 2",
        "cast(i as double) | 7.0",
        "cast(day as date) | 2026-05-17",
        "extract(quarter from date(day)) | 2",
        "extract(week from date(day)) | 20",
        "year(local date) + month(local date) + day(local date) | 2048",
        "hour(local time) * 100 + minute(local time) | 1020",
        "second(local datetime) | 30",
        "local date = date(day) | true",
        "local datetime - local datetime = 'x' | false",
        "i > 6 and not t | false",
        "n = n | NULL",
        "n <> 1 or t | true",
        "not (n = 1) | NULL",
        "n is null and i is not null | true",
        "i in (1, n) | NULL",
        "i in (7, n) | true",
        "i in (7.0, null) | true",
        "i in (6, null) | NULL",
        "i in (6, 'x', true) | false",
        "n in (6, 7) | NULL",
        "d in (1, 2.50bd) | true",
        "big in (1e29, 123456789012345678901234567890) | true",
        "l in (1, 'x') | false",
        "coalesce(n, s) in ('Grüße', s) | true",
        "i not in (1, n) | NULL",
        "i between n and 3 | false",
        "i between n and 9 | NULL",
        "s like 'Gr__e' | true",
        "s like n | NULL",
        "'50%' like '50!%' escape '!' | true",
        "'50x' like '50!%' escape '!' | false",
        "'50%' like '50!%' escape n | NULL",
        "'a!' like 'a!' escape '' | true",
        "'a' like '' | false",
        "'x' member of l | true",
        "2 member of l | false",
        "n member of l | NULL",
        "o is empty | false",
        "none is empty | true",
        "none[] is null | true",
        "l[] is null | false",
        "l[] is not null | true",
        "exists (from l where this = 'x') | true",
        "exists (select e from l e where e = 2) | false",
        "i < s | true",
        "t < i | true",
        "i = '7' | false",
        "big > 1e29 | true"
      })
  void expressionsHaveValues(String expression, String expected) {
    Object value = value(expression);
    String text =
        value instanceof BigDecimal number
            ? number.toPlainString()
            : value == null ? null : value.toString();
    assertThat(text).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s + 1",
        "-s",
        "sqrt(t)",
        "extract(year from i)",
        "extract(hour from date(day))",
        "extract(time from local date)",
        "extract(date from local time)",
        "extract(date from i)",
        "cast(s as integer)",
        "cast(s as date)",
        "not i",
        "'a' like 'a' escape 'ab'",
        "sum(s)",
        "round(d, 1000000)",
        "round(d, -9223372036854775807 - 1)",
        "round(d, 18446744073709551617)"
      })
  void valuesThatAnOperatorDoesNotTakeAreRefused(String expression) {
    assertThatIllegalArgumentException().isThrownBy(() -> value(expression));
  }

  /// `Instant.MAX` is often what means never. Its year is one that no date has.
  @Test
  void instantsThatNoDateReachesHaveFields() {
    Query query =
        queries.query(
            "select year(:t), quarter(:t), month(:t), week(:t), day(:t), hour(:t), second(:t),"
                + " extract(date from :t), extract(time from :t) from rows");
    Row last = query.set("t", Instant.MAX).list().getFirst();
    BigDecimal second = new BigDecimal("59.999999999");
    assertThat(last.values())
        .containsExactly(1_000_000_000L, 4L, 12L, 52L, 31L, 23L, second, null, LocalTime.MAX);
    Row first = query.set("t", Instant.MIN).list().getFirst();
    assertThat(first.values())
        .containsExactly(-1_000_000_000L, 1L, 1L, 52L, 1L, 0L, 0L, null, LocalTime.MIN);
  }
}
