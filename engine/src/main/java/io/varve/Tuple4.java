package io.varve;

import java.util.Objects;

/// Four values as one, a key of several parts mostly: see [Codec#tuple].
///
/// @param first the first value
/// @param second the second value
/// @param third the third value
/// @param fourth the fourth value
/// @param <A> the type of the first
/// @param <B> the type of the second
/// @param <C> the type of the third
/// @param <D> the type of the fourth
/// @since 1.0
public record Tuple4<A, B, C, D>(A first, B second, C third, D fourth) {
  /// Refuses null.
  public Tuple4 {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    Objects.requireNonNull(third, "third");
    Objects.requireNonNull(fourth, "fourth");
  }
}
