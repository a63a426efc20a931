package io.varve.cache.internal.jcache;

import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/// The entry that a processor works on. What it asks for is done when it has ended. For one thread.
final class ProcessedEntry<K, V> implements MutableEntry<K, V> {
  /// What a processor did in the end.
  enum Outcome {
    UNTOUCHED,
    READ,
    LOADED,
    CREATED,
    UPDATED,
    REMOVED
  }

  private final K key;
  private final boolean existed;
  private final Source<K, V> source;
  private @Nullable V value;
  private Outcome outcome = Outcome.UNTOUCHED;

  /// @param value null if there is no entry
  ProcessedEntry(K key, @Nullable V value, Source<K, V> source) {
    this.key = key;
    this.value = value;
    this.existed = value != null;
    this.source = source;
  }

  Outcome outcome() {
    return outcome;
  }

  @Nullable V value() {
    return value;
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public @Nullable V getValue() {
    if (outcome == Outcome.UNTOUCHED) {
      if (existed) {
        outcome = Outcome.READ;
      } else {
        value = source.read(key);
        outcome = value == null ? Outcome.UNTOUCHED : Outcome.LOADED;
      }
    }
    return value;
  }

  @Override
  public void setValue(V newValue) {
    if (newValue == null) {
      throw new NullPointerException("value");
    }
    value = newValue;
    outcome = existed ? Outcome.UPDATED : Outcome.CREATED;
  }

  @Override
  public void remove() {
    value = null;
    outcome =
        outcome == Outcome.CREATED || outcome == Outcome.LOADED
            ? Outcome.UNTOUCHED
            : Outcome.REMOVED;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }
}
