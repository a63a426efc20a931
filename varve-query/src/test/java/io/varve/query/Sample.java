package io.varve.query;

import io.varve.Codec;
import io.varve.Table;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A row of random values, made of its number: few different ones, nulls, values of mixed types,
/// and texts that differ only where an index has cut them.
record Sample(
    long number,
    @Nullable String city,
    @Nullable Integer age,
    @Nullable Object mixed,
    List<@Nullable String> tags,
    String text,
    double score)
    implements Serializable {
  static final Attribute<Sample, Long> NUMBER = Attribute.of("number", Long.class, Sample::number);
  static final Attribute<Sample, String> CITY =
      Attribute.<Sample, String>of("city", String.class, Sample::city);
  static final Attribute<Sample, Integer> AGE =
      Attribute.<Sample, Integer>of("age", Integer.class, Sample::age);
  static final Attribute<Sample, Object> MIXED =
      Attribute.<Sample, Object>of("mixed", Object.class, Sample::mixed);
  static final Attribute<Sample, String> TAGS =
      Attribute.<Sample, String>each("tags", String.class, Sample::tags);
  static final Attribute<Sample, String> TEXT = Attribute.of("text", String.class, Sample::text);
  static final Attribute<Sample, Double> SCORE = Attribute.of("score", Double.class, Sample::score);

  static final Entity<Sample> ENTITY =
      Entity.of(
          "sample",
          Sample.class,
          List.<Attribute<Sample, ?>>of(NUMBER, CITY, AGE, MIXED, TAGS, TEXT, SCORE));

  /// The value is its number alone.
  static final Table<Long, Sample> TABLE =
      Table.of(
          "samples",
          Codec.int64(),
          Codec.of(
              sample -> Codec.int64().encode(sample.number()),
              bytes -> of(Codec.int64().decode(bytes))));

  static final List<String> CITIES = List.of("Bonn", "bonn", "Berlin", "Bern", "", "Ulm", "\uffff");
  static final List<String> TAG_NAMES = List.of("new", "old", "red", "green", "blue");
  private static final String LONG = "long ".repeat(300);

  static Sample of(long number) {
    Random random = new Random(number * 31);
    return new Sample(
        number,
        random.nextInt(8) == 0 ? null : CITIES.get(random.nextInt(CITIES.size())),
        random.nextInt(8) == 0 ? null : random.nextInt(40),
        mixed(random),
        tags(random),
        random.nextInt(4) == 0 ? LONG + random.nextInt(20) : "short " + random.nextInt(20),
        random.nextInt(1000) / 7.0);
  }

  static @Nullable Object mixed(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt(5);
      case 3 -> (double) random.nextInt(5);
      case 4 -> new BigDecimal(random.nextInt(50)).movePointLeft(1);
      case 5 -> LocalDate.ofEpochDay(random.nextInt(5));
      case 6 -> "text " + random.nextInt(5);
      default -> List.of(random.nextInt(2), random.nextInt(2));
    };
  }

  private static List<@Nullable String> tags(Random random) {
    List<@Nullable String> tags = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.add(random.nextInt(10) == 0 ? null : TAG_NAMES.get(random.nextInt(TAG_NAMES.size())));
    }
    return tags;
  }

  static String longText(int end) {
    return LONG + end;
  }
}
