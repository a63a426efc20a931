package io.varve.cache.internal.mapreduce;

import java.util.Iterator;

/// Keys with their values in the order of [RunRecord#storedKey]. It is positioned before the first.
/// For one thread.
///
/// @param <K> the keys
/// @param <V> the values
public interface SortedRun<K, V> {
  /// Moves to the next key.
  ///
  /// @return false if there is none
  boolean next();

  /// What the current key is ordered by.
  byte[] storedKey();

  /// The current key. Not to be asked for after its values.
  K key();

  /// The values of the current key, until the next move. To be asked for once for each key.
  Iterator<V> values();
}
