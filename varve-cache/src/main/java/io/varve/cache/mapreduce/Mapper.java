package io.varve.cache.mapreduce;

import java.io.Serializable;

/// Makes pairs of keys and values of one element.
///
/// - **Threads:** called by several concurrently.
/// - **Serializable,** so that a job can be sent to where entries are; one that holds what is not
///   runs in its own process alone.
///
/// @param <E> the elements, such as entries of a cache
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
@FunctionalInterface
public interface Mapper<E, K, V> extends Serializable {
  /// Takes one element. What it throws ends the job.
  ///
  /// @param out takes any number of pairs, until this returns, on this thread
  void map(E element, Emitter<K, V> out);
}
