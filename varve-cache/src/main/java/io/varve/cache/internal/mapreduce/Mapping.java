package io.varve.cache.internal.mapreduce;

import io.varve.cache.mapreduce.MapFigures;
import java.util.Iterator;
import java.util.Map;

/// The first half of a job: mappers run, and pairs are combined as they come. Used by the leader of
/// the job, except the figures.
///
/// @param <K> the keys
/// @param <V> the values
public interface Mapping<K, V> extends AutoCloseable {
  /// Maps all elements. No mapper runs any more when this returns or throws.
  ///
  /// @throws InterruptedException if the job has ended
  void map() throws InterruptedException;

  /// What was emitted, reduced, each result when it is asked for.
  <R> Iterator<Map.Entry<K, R>> results(Plan<?, K, V, R> plan);

  /// How far it is, for any thread, also once it is closed.
  MapFigures figures();

  @Override
  void close();
}
