package io.varve.cache.internal.jcache;

import io.varve.Durability;
import io.varve.Store;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.StorageMode;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Gate;
import io.varve.cache.internal.container.KeyLocks;
import io.varve.cache.internal.container.ValueForm;
import io.varve.cache.internal.container.WaitingWrites;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Where the entries of an open cache are, and what may change them. Managers of one directory that
/// have a cache of one name share it: see [ManagerStore]. Safe for threads.
final class OpenCache<K, V> {
  private final Settings settings;
  private final Container<K, V> container;
  private final Gate gate;
  private final KeyLocks<K> locks;
  private final Forms<K, V> forms;
  private final Base base;
  private final AtomicBoolean writesClaimed = new AtomicBoolean();
  private int users = 1; // guarded by this

  /// The forms of keys and values outside of the container.
  record Forms<K, V>(Marshaller<K> keys, ValueForm<V> values) {}

  /// What the entries are kept in.
  ///
  /// @param store of the entries, or null if none are in pages
  /// @param onEnd called once no manager uses the cache any more
  record Base(@Nullable Store store, Runnable onEnd) {}

  /// What must be the same for all managers that share.
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
  OpenCache(
      Settings settings,
      Container<K, V> container,
      Gate gate,
      KeyLocks<K> locks,
      Forms<K, V> forms,
      Base base) {
    this.settings = settings;
    this.container = container;
    this.gate = gate;
    this.locks = locks;
    this.forms = forms;
    this.base = base;
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
    return forms.keys();
  }

  /// The form of values that are held outside of the container.
  ValueForm<V> values() {
    return forms.values();
  }

  /// Where changes wait for a writer; null if they may be lost in a crash, as the cache may be.
  @Nullable WaitingWrites waitingWrites(String cacheName) {
    Store store = base.store();
    return store == null || settings.mode() == StorageMode.OVERFLOW
        ? null
        : WaitingWrites.of(store, cacheName, settings.durability());
  }

  /// Whether changes wait for a writer in the store.
  boolean hasWaitingWrites(String cacheName) {
    Store store = base.store();
    return store != null && WaitingWrites.isAny(store, cacheName);
  }

  /// Takes the right to write changes that wait, which one user has at a time.
  ///
  /// @return whether no other user has it
  boolean claimWrites() {
    return writesClaimed.compareAndSet(false, true);
  }

  /// Returns the right to write changes that wait.
  void releaseWrites() {
    writesClaimed.set(false);
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

  /// Removes all entries for good, whatever else uses them.
  void destroy() {
    end(container::destroy);
  }

  private void end(Runnable last) {
    if (gate.close()) {
      try {
        last.run();
      } finally {
        base.onEnd().run();
      }
    }
  }
}
