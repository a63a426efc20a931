package io.varve.cache.mapreduce;

/// Makes pairs of keys and values of one element.
///
/// - **Threads:** called by several at once.
///
/// @param <E> the elements, such as entries of a cache
/// @param <K> the keys
/// @param <V> the values
@FunctionalInterface
public interface Mapper<E, K, V> {
  /// Takes one element. What it throws ends the job.
  ///
  /// @param out takes any number of pairs, until this returns, on this thread
  void map(E element, Emitter<K, V> out);
}
