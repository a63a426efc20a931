package io.varve.cache.mapreduce;

/// Takes the pairs that a mapper makes.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
@FunctionalInterface
public interface Emitter<K, V> {
  /// Takes a pair. The job keeps both objects: neither may be changed afterwards, but that a
  /// combiner may change and return values.
  ///
  /// @throws java.util.concurrent.CancellationException if the job has failed or was cancelled
  void emit(K key, V value);
}
