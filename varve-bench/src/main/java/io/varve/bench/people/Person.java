package io.varve.bench.people;

import com.googlecode.cqengine.persistence.support.serialization.PersistenceConfig;
import java.util.SplittableRandom;

/// A record of ten fields, which follow from its number.
///
/// @param id the number
/// @param email unique
/// @param name of a person
/// @param city one of as many that ten persons live in each
/// @param country one of 200
/// @param age 0 to 99
/// @param salary spread evenly over the numbers below [#SALARIES]
/// @param score any number
/// @param active true of most
/// @param note 100 characters
@PersistenceConfig(serializer = PersonBytes.class)
public record Person(
    long id,
    String email,
    String name,
    String city,
    String country,
    int age,
    int salary,
    double score,
    boolean active,
    String note) {
  static final int SALARIES = 1_000_000;
  static final int COUNTRIES = 200;
  static final int PER_CITY = 10;
  private static final String NOTE = "n".repeat(90);

  static Person of(int number, int count) {
    SplittableRandom random = new SplittableRandom(number);
    int cities = Math.max(1, count / PER_CITY);
    return new Person(
        number,
        email(number),
        "Person " + random.nextInt(100_000),
        city(random.nextInt(cities)),
        country(random.nextInt(COUNTRIES)),
        random.nextInt(100),
        random.nextInt(SALARIES),
        random.nextDouble(),
        random.nextInt(10) > 0,
        NOTE + random.nextInt(1_000_000_000));
  }

  static String email(int number) {
    return "person" + number + "@example.org";
  }

  static String city(int number) {
    return "City " + number;
  }

  static String country(int number) {
    return "Country " + number;
  }
}
