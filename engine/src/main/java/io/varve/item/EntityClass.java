package io.varve.item;

/// A marker for the class of entities: what kind of thing a record is.
///
/// ```java
/// static final EntityClass PATENT = new EntityClass(10, "Patent");
/// ```
///
/// @since 1.0
public final class EntityClass extends Marker implements Comparable<EntityClass> {
  /// Makes a marker with a name for people.
  ///
  /// @param number not negative
  public EntityClass(long number, String name) {
    super(number, name);
  }

  /// Makes a marker that is called by its number.
  public EntityClass(long number) {
    this(number, "EntityClass-" + number);
  }

  @Override
  public int compareTo(EntityClass other) {
    return Long.compare(number(), other.number());
  }
}
