package io.varve.query.internal.access;

import org.jspecify.annotations.Nullable;

/// Objects that a map or a cache keeps, not the store. Thread-safe as that is.
///
/// @param <K> the keys
public interface ObjectSource<K> {
  /// The object of a key, or null if there is none now.
  @Nullable Object find(K key);

  /// Removes an object, if it is still there.
  boolean remove(K key, Object object);

  /// Replaces an object, if it is still there.
  boolean replace(K key, Object object, Object next);

  /// Whether the index has what is there and nothing else, so that counts of it are right.
  boolean isFollowed();
}
