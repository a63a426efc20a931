package io.varve.item;

/// A marker for the class of entities: what kind of thing a record is.
///
/// ```java
/// static final EntityClass PATENT = new EntityClass(10, "Patent");
/// ```
///
/// The store holds the number alone, so give each a number once and for all. The name is for
/// people; two are equal if their numbers are.
public final class EntityClass implements Comparable<EntityClass> {
  private final long number;
  private final String name;

  /// Makes a marker with a name for people.
  ///
  /// @param number not negative
  public EntityClass(long number, String name) {
    if (number < 0) {
      throw new IllegalArgumentException("number is negative: number=" + number);
    }
    this.number = number;
    this.name = name;
  }

  /// Makes a marker that is called by its number.
  public EntityClass(long number) {
    this(number, "EntityClass-" + number);
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
  public int compareTo(EntityClass other) {
    return Long.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntityClass that && number == that.number;
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
