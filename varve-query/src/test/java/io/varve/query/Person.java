package io.varve.query;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What the tests of queries ask for.
record Person(
    @Key String id,
    String name,
    @Nullable String city,
    @Nullable Integer age,
    @Nullable Double weight,
    boolean active,
    @Nullable LocalDate born,
    @Nullable UUID token,
    @Nullable Level level,
    List<String> tags,
    @Nullable Address address,
    List<Order> orders) {
  enum Level {
    LOW,
    MIDDLE,
    HIGH
  }

  record Address(String street, @Nullable String zip) {}

  record Order(@Key String item, int quantity, double price) {}

  static Person of(String id, String name, @Nullable String city, @Nullable Integer age) {
    return new Person(
        id, name, city, age, null, true, null, null, null, List.of(), null, List.of());
  }

  Person with(Level newLevel) {
    return new Person(
        id, name, city, age, weight, active, born, token, newLevel, tags, address, orders);
  }

  Person born(LocalDate day) {
    return new Person(
        id, name, city, age, weight, active, day, token, level, tags, address, orders);
  }

  Person tagged(String... newTags) {
    return new Person(
        id, name, city, age, weight, active, born, token, level, List.of(newTags), address, orders);
  }

  Person at(String street, @Nullable String zip) {
    return new Person(
        id,
        name,
        city,
        age,
        weight,
        active,
        born,
        token,
        level,
        tags,
        new Address(street, zip),
        orders);
  }

  Person ordering(Order... newOrders) {
    return new Person(
        id, name, city, age, weight, active, born, token, level, tags, address, List.of(newOrders));
  }
}
