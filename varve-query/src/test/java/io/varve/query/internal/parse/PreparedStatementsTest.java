package io.varve.query.internal.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.query.Entity;
import io.varve.query.internal.statement.Catalog;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How many texts are kept as they were understood, and how long ones.
class PreparedStatementsTest {
  private static final Catalog NUMBERS =
      new Catalog() {
        @Override
        public @Nullable String table(String name) {
          return name.equals("numbers") ? name : null;
        }

        @Override
        public @Nullable Entity<?> find(String table) {
          return Entity.documents("numbers");
        }

        @Override
        public Collection<String> names() {
          return List.of("numbers");
        }
      };

  private static String text(int number, int length) {
    String start = "from numbers where a = '" + number;
    return start + "x".repeat(length - start.length() - 1) + "'";
  }

  @Test
  void theTextsUsedLastAreKept() {
    var prepared = new PreparedStatements(NUMBERS, 2);
    var first = prepared.get(text(1, 40));
    var second = prepared.get(text(2, 40));
    assertThat(prepared.get(text(1, 40))).isSameAs(first);
    prepared.get(text(3, 40));
    assertThat(prepared.get(text(1, 40))).isSameAs(first);
    assertThat(prepared.get(text(2, 40))).isNotSameAs(second);
  }

  @Test
  void theTextsThatAreKeptHaveABoundOfCharacters() {
    var prepared = new PreparedStatements(NUMBERS, 256);
    int length = 60_000;
    var first = prepared.get(text(0, length));
    for (int number = 1; number < 16; number++) {
      prepared.get(text(number, length));
    }
    assertThat(prepared.get(text(0, length))).isSameAs(first);
    for (int number = 1; number < 18; number++) {
      prepared.get(text(number, length));
    }
    assertThat(prepared.get(text(0, length))).isNotSameAs(first);
    var shorter = prepared.get(text(99, 1000));
    assertThat(prepared.get(text(99, 1000))).isSameAs(shorter);
  }

  @Test
  void aVeryLongTextTakesNoPlace() {
    var prepared = new PreparedStatements(NUMBERS, 256);
    var first = prepared.get(text(1, 100_000));
    assertThat(prepared.get(text(1, 100_000))).isNotSameAs(first);
  }
}
