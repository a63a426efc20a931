package io.varve;

import java.util.Objects;

/// Two values as one, a key of several parts mostly: see [Codec#tuple].
///
/// @param first the first value
/// @param second the second value
/// @param <A> the type of the first
/// @param <B> the type of the second
/// @since 1.0
public record Tuple2<A, B>(A first, B second) {
  /// Refuses null.
  public Tuple2 {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
  }
}
