package io.varve.item;

/// A marker for an attribute: the property of an entity that a value describes.
///
/// ```java
/// static final Attribute TITLE = new Attribute(11, "Title");
/// ```
///
/// @since 1.0
public final class Attribute extends Marker implements Comparable<Attribute> {
  /// Makes a marker with a name for people.
  ///
  /// @param number not negative
  public Attribute(long number, String name) {
    super(number, name);
  }

  /// Makes a marker that is called by its number.
  public Attribute(long number) {
    this(number, "Attribute-" + number);
  }

  @Override
  public int compareTo(Attribute other) {
    return Long.compare(number(), other.number());
  }
}
