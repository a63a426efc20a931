package io.varve.item;

/// A number that represents something in items, with a name for people.
///
/// The store holds the number alone, so give each a number once and for all. Two markers of one
/// class are equal if their numbers are.
///
/// @since 1.0
public abstract sealed class Marker permits Attribute, EntityClass {
  private final long number;
  private final String name;

  Marker(long number, String name) {
    if (number < 0) {
      throw new IllegalArgumentException("number is negative: number=" + number);
    }
    this.number = number;
    this.name = name;
  }

  /// The number that the store holds.
  public final long number() {
    return number;
  }

  /// The name for people.
  public final String name() {
    return name;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof Marker that && number == that.number && getClass() == that.getClass();
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public final String toString() {
    return name;
  }
}
