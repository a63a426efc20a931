package io.varve.cache.mapreduce;

import java.util.Iterator;

/// Makes one result of all values of a key.
///
/// @param <K> the keys
/// @param <V> the values
/// @param <R> the results
/// @since 1.0
@FunctionalInterface
public interface Reducer<K, V, R> {
  /// Takes the values of one key, in no particular order. What it throws ends the job.
  ///
  /// @param values at least one; exactly one if the job has a combiner; valid until this returns
  R reduce(K key, Iterator<V> values);
}
