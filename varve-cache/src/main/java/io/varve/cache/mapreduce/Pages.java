package io.varve.cache.mapreduce;

import org.jspecify.annotations.Nullable;

/// The pairs of a part, in the order of their keys as marshalled, in pages of bytes.
///
/// @since 1.0
@FunctionalInterface
public interface Pages {
  /// Takes the next page.
  ///
  /// @return null after the last
  byte @Nullable [] next();
}
