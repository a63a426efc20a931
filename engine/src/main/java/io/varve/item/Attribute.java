package io.varve.item;

/// A marker for an attribute: what a value says of an entity.
///
/// ```java
/// static final Attribute TITLE = new Attribute(11, "Title");
/// ```
///
/// The store holds the number alone, so give each a number once and for all. The name is for
/// people; two are equal if their numbers are.
public final class Attribute implements Comparable<Attribute> {
  private final long number;
  private final String name;

  /// Makes a marker with a name for people.
  ///
  /// @param number not negative
  public Attribute(long number, String name) {
    if (number < 0) {
      throw new IllegalArgumentException("number is negative: number=" + number);
    }
    this.number = number;
    this.name = name;
  }

  /// Makes a marker that is called by its number.
  public Attribute(long number) {
    this(number, "Attribute-" + number);
  }

  /// The number that the store holds.
  public long number() {
    return number;
  }

  /// The name for people.
  public String name() {
    return name;
  }

  @Override
  public int compareTo(Attribute other) {
    return Long.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attribute that && number == that.number;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public String toString() {
    return name;
  }
}
