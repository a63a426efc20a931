package io.varve.query;

import java.time.LocalDate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A row of the tables that an SQL database and Varve are asked the same of.
record OracleRow(
    @Key int k,
    @Nullable Integer a,
    @Nullable Double b,
    @Nullable String s,
    @Nullable LocalDate d,
    @Nullable Boolean f) {
  private static final String[] TEXTS = {"a", "Ab", "bb", "cab", "", " a ", "aab", "it's"};

  static OracleRow random(int key, RandomGenerator random) {
    return new OracleRow(
        key,
        random.nextInt(4) == 0 ? null : random.nextInt(-3, 9),
        random.nextInt(4) == 0 ? null : random.nextInt(-12, 40) / 4.0,
        random.nextInt(4) == 0 ? null : TEXTS[random.nextInt(TEXTS.length)],
        random.nextInt(4) == 0
            ? null
            : LocalDate.of(2020, random.nextInt(1, 10), random.nextInt(10, 20)),
        random.nextInt(4) == 0 ? null : random.nextBoolean());
  }
}
