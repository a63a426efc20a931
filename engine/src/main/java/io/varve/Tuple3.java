package io.varve;

import java.util.Objects;

/// Three values as one, a key of several parts mostly: see [Codec#tuple].
///
/// @param first the first value
/// @param second the second value
/// @param third the third value
/// @param <A> the type of the first
/// @param <B> the type of the second
/// @param <C> the type of the third
/// @since 1.0
public record Tuple3<A, B, C>(A first, B second, C third) {
  /// Refuses null.
  public Tuple3 {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    Objects.requireNonNull(third, "third");
  }
}
