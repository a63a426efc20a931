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

  /// Changes an object, if it is still there: replaces it by another one, or by itself with other
  /// values. What refuses the object with these values leaves it as it was.
  default boolean change(K key, Object object, Change change) {
    Object next = change.make(object);
    boolean isDone = false;
    try {
      isDone = replace(key, object, next);
      return isDone;
    } finally {
      if (!isDone) {
        change.undo();
      }
    }
  }

  /// A change of one object.
  interface Change {
    /// Makes it.
    ///
    /// @param present the object as it is there
    /// @return a new object, or the same one
    Object make(Object present);

    /// Sets the values back that the object had, if it was changed in place.
    void undo();
  }

  /// Whether the index has what is there and nothing else, so that counts of it are right.
  boolean isFollowed();
}
