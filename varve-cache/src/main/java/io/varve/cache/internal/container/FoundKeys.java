package io.varve.cache.internal.container;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Keys of which the next is looked for when it is asked for. For one thread.
///
/// @param <K> the keys
abstract class FoundKeys<K> implements Iterator<K> {
  private @Nullable K next;

  /// The key after the one that was found last; null if there is none, and from then on.
  abstract @Nullable K find();

  @Override
  public final boolean hasNext() {
    if (next == null) {
      next = find();
    }
    return next != null;
  }

  @Override
  public final K next() {
    K given = hasNext() ? next : null;
    if (given == null) {
      throw new NoSuchElementException("no more keys");
    }
    next = null;
    return given;
  }
}
