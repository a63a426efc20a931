package io.varve.cache.mapreduce;

import java.util.Map;
import java.util.stream.Stream;

/// Makes the result of a job of the results of all keys.
///
/// @param <K> the keys
/// @param <R> the results of keys
/// @param <T> the result of the job
/// @since 1.0
@FunctionalInterface
public interface Collator<K, R, T> {
  /// Takes the results, each key once. What it throws ends the job.
  ///
  /// @param results a sequential stream, in no particular order; each result is made when it is
  ///   taken, and held only by the caller that takes it. So there may be more than memory can hold
  T collate(Stream<Map.Entry<K, R>> results);
}
