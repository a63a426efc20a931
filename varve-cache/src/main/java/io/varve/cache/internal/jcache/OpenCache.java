package io.varve.cache.internal.jcache;

import io.varve.Durability;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.StorageMode;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Gate;
import io.varve.cache.internal.container.KeyLocks;
import org.jspecify.annotations.Nullable;

/// Where the entries of an open cache are, and who may change them. Managers of one directory that
/// have a cache of one name share it: see [ManagerStore]. Safe for threads.
final class OpenCache<K, V> {
  private final Settings settings;
  private final Container<K, V> container;
  private final Gate gate;
  private final KeyLocks<K> locks;
  private final Marshaller<K> keys;
  private final Runnable onEnd;
  private int users = 1; // guarded by this

  /// What must be the same for all who share.
  record Settings(
      StorageMode mode,
      Durability durability,
      int segments,
      long heapEntriesMax,
      long heapBytesMax,
      Class<?> keyType,
      Class<?> valueType,
      @Nullable Marshaller<?> keyMarshaller,
      @Nullable Marshaller<?> valueMarshaller) {
    static Settings of(CacheOptions<?, ?> options) {
      return new Settings(
          options.mode(),
          options.durability(),
          options.segments(),
          options.heapEntriesMax(),
          options.heapBytesMax(),
          options.getKeyType(),
          options.getValueType(),
          options.keyMarshaller(),
          options.valueMarshaller());
    }
  }

  /// Has one user.
  ///
  /// @param onEnd called once nobody uses it any more
  OpenCache(
      Settings settings,
      Container<K, V> container,
      Gate gate,
      KeyLocks<K> locks,
      Marshaller<K> keys,
      Runnable onEnd) {
    this.settings = settings;
    this.container = container;
    this.gate = gate;
    this.locks = locks;
    this.keys = keys;
    this.onEnd = onEnd;
  }

  Container<K, V> container() {
    return container;
  }

  Gate gate() {
    return gate;
  }

  KeyLocks<K> locks() {
    return locks;
  }

  Marshaller<K> keys() {
    return keys;
  }

  /// Adds a user.
  ///
  /// @return whether it has the same settings, and the cache is not about to end
  synchronized boolean join(Settings others) {
    boolean joins = users > 0 && !gate.isClosed() && settings.equals(others);
    if (joins) {
      users++;
    }
    return joins;
  }

  /// Takes a user away. The last one closes the container.
  void leave() {
    boolean wasLast;
    synchronized (this) {
      wasLast = --users == 0;
    }
    if (wasLast) {
      end(container::close);
    }
  }

  /// Removes all entries for good, whoever else uses them.
  void destroy() {
    end(container::destroy);
  }

  private void end(Runnable last) {
    if (gate.close()) {
      try {
        last.run();
      } finally {
        onEnd.run();
      }
    }
  }
}
