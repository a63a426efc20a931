package io.varve.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random conditions and orders of samples.
final class RandomConditions {
  private final Random random;

  RandomConditions(Random random) {
    this.random = random;
  }

  Condition<Sample> next(int depth) {
    if (depth > 0) {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          return next(depth - 1).and(next(depth - 1));
        }
        case 3 -> {
          return next(depth - 1).or(next(depth - 1));
        }
        case 4 -> {
          return next(depth - 1).not();
        }
        default -> {}
      }
    }
    return switch (random.nextInt(8)) {
      case 0, 1 -> of(Sample.CITY, city(), city());
      case 2 -> of(Sample.AGE, random.nextInt(-1, 41), random.nextInt(-1, 41));
      case 3 -> mixed();
      case 4 -> tags();
      case 5 -> of(Sample.TEXT, text(), text());
      case 6 -> of(Sample.SCORE, random.nextInt(1000) / 7.0, random.nextInt(1000) / 7.0);
      default -> of(Sample.NUMBER, (long) random.nextInt(300), (long) random.nextInt(300));
    };
  }

  private String city() {
    return Sample.CITIES.get(random.nextInt(Sample.CITIES.size()));
  }

  private String text() {
    return random.nextBoolean()
        ? Sample.longText(random.nextInt(20))
        : "short " + random.nextInt(20);
  }

  private <T> Condition<Sample> of(Attribute<Sample, T> attribute, T one, T two) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> attribute.eq(one);
      case 3 -> attribute.ne(one);
      case 4 -> attribute.lt(one);
      case 5 -> attribute.le(one);
      case 6 -> attribute.gt(one);
      case 7 -> attribute.ge(one);
      case 8 -> attribute.between(one, two);
      case 9 -> attribute.in(one, two);
      case 10 -> random.nextBoolean() ? attribute.isNull() : attribute.isNotNull();
      default -> attribute.like(pattern(one));
    };
  }

  private String pattern(Object value) {
    String text = value.toString();
    String start = text.substring(0, random.nextInt(text.length() + 1));
    return switch (random.nextInt(4)) {
      case 0 -> start + "_%";
      case 1 -> "%" + start + "%";
      default -> start + "%";
    };
  }

  private Condition<Sample> mixed() {
    Object one = Sample.mixed(random);
    Object two = Sample.mixed(random);
    return one == null || two == null ? Sample.MIXED.isNull() : of(Sample.MIXED, one, two);
  }

  private Condition<Sample> tags() {
    String one = Sample.TAG_NAMES.get(random.nextInt(Sample.TAG_NAMES.size()));
    String two = Sample.TAG_NAMES.get(random.nextInt(Sample.TAG_NAMES.size()));
    return random.nextBoolean() ? Sample.TAGS.contains(one) : of(Sample.TAGS, one, two);
  }

  List<Order<Sample>> orders() {
    List<Order<Sample>> orders = new ArrayList<>();
    List<Attribute<Sample, ?>> attributes =
        List.of(Sample.CITY, Sample.AGE, Sample.MIXED, Sample.TEXT, Sample.SCORE);
    for (int i = random.nextInt(3); i > 0; i--) {
      Attribute<Sample, ?> attribute = attributes.get(random.nextInt(attributes.size()));
      Order<Sample> order = random.nextBoolean() ? attribute.asc() : attribute.desc();
      orders.add(
          switch (random.nextInt(4)) {
            case 0 -> order.nullsFirst();
            case 1 -> order.nullsLast();
            default -> order;
          });
    }
    return orders;
  }
}
