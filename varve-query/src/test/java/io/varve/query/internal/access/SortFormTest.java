package io.varve.query.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.query.Attribute;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.Sorting;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Positions of answers that come back damaged or made up are refused, and nothing else happens.
class SortFormTest {
  private static final Attribute<Object, Object> VALUE =
      Attribute.of("value", Object.class, row -> row);
  private static final byte[] KEY = {1, 0, 'k', -1};
  private static final List<Object> VALUES =
      List.of(
          true,
          42,
          -1.25,
          new BigDecimal("-1e-300"),
          new BigDecimal("12345678901234567890e200"),
          "text\u0000\ud800",
          Instant.EPOCH,
          LocalDate.EPOCH,
          LocalDateTime.of(2026, 1, 31, 1, 2, 3),
          LocalTime.NOON,
          Year.of(2026),
          YearMonth.of(2026, 1),
          Duration.ofMillis(-1),
          new UUID(1, 2),
          URI.create("https://varve.example/a?b"),
          new byte[] {0, 1, 2, -1},
          List.of(1, "two", List.of("three")));

  private static SortForm form(boolean isDescending) {
    return new SortForm(
        List.of(new Sorting(new Expression.Path(0, VALUE), isDescending, isDescending)));
  }

  /// @return whether it was taken for a position
  private static boolean isTaken(SortForm form, byte[] position) {
    try {
      form.require(position);
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(e)
          .hasMessageContaining("the answer cannot be continued there")
          .hasMessageContaining("continue with the same order");
      return false;
    }
  }

  @Test
  void whatAnAnswerGaveIsTaken() {
    for (boolean isDescending : List.of(false, true)) {
      SortForm form = form(isDescending);
      for (Object value : VALUES) {
        byte[] position = form.position(Scope.of(null, value), KEY);
        assertThat(isTaken(form, position)).as("%s", value).isTrue();
        assertThat(form.key(position)).isEqualTo(KEY);
      }
    }
  }

  @Test
  void damagedPositionsAreRefusedAndDoNoHarm() {
    for (boolean isDescending : List.of(false, true)) {
      SortForm form = form(isDescending);
      for (Object value : VALUES) {
        byte[] position = form.position(Scope.of(null, value), KEY);
        for (int at = 0; at < position.length; at++) {
          assertThat(isTaken(form, Arrays.copyOf(position, at))).isFalse();
          byte[] damaged = position.clone();
          for (int change = 1; change < 256; change++) {
            damaged[at] = (byte) (position[at] ^ change);
            isTaken(form, damaged); // some are other positions
          }
        }
      }
    }
  }

  @Test
  void randomBytesAreRefusedAndDoNoHarm() {
    var random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      if (bytes.length > 0) { // a kind of value that there is
        bytes[0] = (byte) (0x60 + random.nextInt(32));
        bytes[bytes.length - 1] = 0;
      }
      isTaken(form(random.nextBoolean()), bytes);
    }
  }
}
