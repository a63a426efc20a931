package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// The one order of values of mixed types.
class ValuesTest {
  /// Values in their order, each above all before it.
  private static final List<Object> ORDERED =
      Arrays.asList(
          null,
          false,
          true,
          Double.NEGATIVE_INFINITY,
          new BigDecimal("-1e400"),
          Long.MIN_VALUE,
          -1.5f,
          0,
          (byte) 1,
          new BigDecimal("1.0000000000000000000001"),
          1.5,
          (short) 2,
          9007199254740992.0,
          9007199254740993L,
          Long.MAX_VALUE,
          9223372036854775808.0,
          BigInteger.TEN.pow(30),
          Double.MAX_VALUE,
          Double.POSITIVE_INFINITY,
          Double.NaN,
          new Date(0),
          Instant.ofEpochSecond(1),
          LocalDate.of(1999, 1, 1),
          LocalDate.of(2000, 1, 1),
          LocalDateTime.of(1999, 1, 1, 0, 0),
          LocalTime.of(12, 0),
          Year.of(2000),
          YearMonth.of(1999, 2),
          Duration.ofHours(1),
          "",
          "A",
          TimeUnit.DAYS,
          'a',
          "ab",
          "\uffee",
          "\ud83d\ude00",
          new UUID(0, 1),
          new UUID(-1, 0),
          URI.create("a:b"),
          new byte[] {1},
          new byte[] {(byte) 0x80},
          List.of(),
          new int[] {1},
          List.of(1, "a"),
          List.of(2));

  @Test
  void valuesOfMixedTypesHaveOneOrder() {
    for (int left = 0; left < ORDERED.size(); left++) {
      for (int right = 0; right < ORDERED.size(); right++) {
        assertThat(Integer.signum(Values.compare(ORDERED.get(left), ORDERED.get(right))))
            .as("%s, %s", ORDERED.get(left), ORDERED.get(right))
            .isEqualTo(Integer.compare(left, right));
      }
    }
    List<Object> shuffled = new ArrayList<>(ORDERED);
    Collections.shuffle(shuffled, new Random(1));
    shuffled.sort(Values::compare);
    assertThat(shuffled).isEqualTo(ORDERED);
  }

  @Test
  void equalValuesOfDifferentTypesAreEqual() {
    assertEqual(1, 1L, (short) 1, 1.0, 1f, BigInteger.ONE, new BigDecimal("1.00"), Optional.of(1));
    assertEqual(0.0, -0.0, 0, BigDecimal.ZERO);
    assertEqual(0.1, new JsonMapper().readTree("0.1"));
    assertEqual(new BigDecimal("0.1"), new BigDecimal("0.10"));
    assertEqual("DAYS", TimeUnit.DAYS, new StringBuilder("DAYS"));
    assertEqual(null, Optional.empty(), new JsonMapper().readTree("null"));
    assertEqual(List.of(1, "x"), new Object[] {1L, 'x'}, new JsonMapper().readTree("[1,\"x\"]"));
    Instant instant = Instant.parse("2026-01-01T00:00:00Z");
    assertEqual(
        instant,
        Date.from(instant),
        OffsetDateTime.parse("2026-01-01T01:00:00+01:00"),
        ZonedDateTime.parse("2026-01-01T01:00:00+01:00[Europe/Berlin]"));
    assertThat(Values.compare(0.1, new BigDecimal("0.1"))).isPositive(); // as 0.1 is a little more
  }

  private static void assertEqual(Object... values) {
    for (Object left : values) {
      for (Object right : values) {
        assertThat(Values.compare(left, right)).as("%s, %s", left, right).isZero();
        assertThat(Values.compare(Values.normal(left), right)).isZero();
      }
    }
  }

  @Property(tries = 2000)
  void theOrderIsOne(
      @ForAll("values") Object a, @ForAll("values") Object b, @ForAll("values") Object c) {
    assertThat(Integer.signum(Values.compare(a, b)))
        .isEqualTo(-Integer.signum(Values.compare(b, a)));
    if (Values.compare(a, b) <= 0 && Values.compare(b, c) <= 0) {
      assertThat(Values.compare(a, c)).isLessThanOrEqualTo(0);
    }
  }

  @Provide
  Arbitrary<Object> values() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Object.class::cast),
        Arbitraries.longs().map(value -> (Object) (double) value),
        Arbitraries.longs().map(value -> (Object) BigDecimal.valueOf(value, 1)),
        Arbitraries.doubles().map(Object.class::cast),
        Arbitraries.integers().between(-3, 3).map(Object.class::cast),
        Arbitraries.doubles().between(-3, 3).ofScale(1).map(Object.class::cast),
        Arbitraries.strings().ofMaxLength(4).map(Object.class::cast),
        Arbitraries.of(ORDERED));
  }
}
