package io.varve;

import java.util.Objects;

/// A table of typed elements without values: the name of its space, and the codec that its keys
/// were written with. A store, a transaction and a snapshot open it, each as a set, as they open a
/// [Table] as a map.
///
/// The store remembers the id of the codec, as it does for tables.
///
/// Thread-safe, as codecs are.
///
/// @param name of the space: 1 to 200 characters
/// @param elements a codec whose byte order is the order of the set
/// @param <E> the elements
/// @since 1.0
public record TableSet<E>(String name, Codec<E> elements) {
  /// Refuses null.
  public TableSet {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(elements, "elements");
  }

  /// A set of that name. It is made when a store or a transaction opens it.
  public static <E> TableSet<E> of(String name, Codec<E> elements) {
    return new TableSet<>(name, elements);
  }
}
