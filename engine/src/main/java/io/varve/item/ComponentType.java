package io.varve.item;

/// The types of components, in their order: any string comes before any long.
///
/// @since 1.0
public enum ComponentType {
  /// An [EntityClass]: by number.
  ENTITY_CLASS,

  /// An [Attribute]: by number.
  ATTRIBUTE,

  /// A string: any sequence of chars, unpaired surrogates included, in the order of
  /// [String#compareTo].
  STRING,

  /// A long: by value.
  LONG,

  /// A double: in the order of [Double#compare], so `-0.0` before `0.0` and NaN last. All NaN are
  /// one.
  DOUBLE,

  /// A float: in the order of [Float#compare]. All NaN are one.
  FLOAT,

  /// A boolean: false first.
  BOOLEAN,

  /// A [java.time.Instant]: by time, to the nanosecond, over its whole range.
  INSTANT,

  /// Bytes: as unsigned ones, a shorter array before any longer one that it starts.
  BYTES,

  /// Chars: as a string, but read as an array.
  CHARS,

  /// An index in a list or among chunks: a long that is not negative, by value.
  INDEX,

  /// A [java.util.UUID]: as 128 unsigned bits, which is the order of its text (not that of
  /// [java.util.UUID#compareTo]).
  UUID
}
