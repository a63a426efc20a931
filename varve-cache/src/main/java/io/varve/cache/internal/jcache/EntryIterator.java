package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.Found;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.cache.Cache.Entry;
import org.jspecify.annotations.Nullable;

/// The entries that a walk finds, weakly consistent. For one thread.
final class EntryIterator<K, V> implements Iterator<Entry<K, V>> {
  private final Runnable check;
  private final Iterator<Found<K>> found;
  private final Function<Found<K>, @Nullable V> values;
  private final Consumer<K> remover;
  private @Nullable Entry<K, V> next;
  private @Nullable K given;

  /// @param check fails if the cache is closed
  /// @param values of what was found, or null if it is there no more
  EntryIterator(
      Runnable check,
      Iterator<Found<K>> found,
      Function<Found<K>, @Nullable V> values,
      Consumer<K> remover) {
    this.check = check;
    this.found = found;
    this.values = values;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    check.run();
    while (next == null && found.hasNext()) {
      Found<K> each = found.next();
      V value = values.apply(each);
      next = value == null ? null : new KeyValue<>(each.key(), value);
    }
    return next != null;
  }

  @Override
  public Entry<K, V> next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("no more entries");
    }
    Entry<K, V> entry = next;
    next = null;
    given = entry.getKey();
    return entry;
  }

  @Override
  public void remove() {
    check.run();
    K key = given;
    if (key == null) {
      throw new IllegalStateException("no entry was given, or it was removed");
    }
    given = null;
    remover.accept(key);
  }
}
