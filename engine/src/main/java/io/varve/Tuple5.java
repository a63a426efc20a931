package io.varve;

import java.util.Objects;

/// Five values as one, a key of several parts mostly: see [Codec#tuple].
///
/// @param first the first value
/// @param second the second value
/// @param third the third value
/// @param fourth the fourth value
/// @param fifth the fifth value
/// @param <A> the type of the first
/// @param <B> the type of the second
/// @param <C> the type of the third
/// @param <D> the type of the fourth
/// @param <E> the type of the fifth
/// @since 1.0
public record Tuple5<A, B, C, D, E>(A first, B second, C third, D fourth, E fifth) {
  /// Refuses null.
  public Tuple5 {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    Objects.requireNonNull(third, "third");
    Objects.requireNonNull(fourth, "fourth");
    Objects.requireNonNull(fifth, "fifth");
  }
}
