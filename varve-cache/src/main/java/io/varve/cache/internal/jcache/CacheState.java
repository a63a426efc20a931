package io.varve.cache.internal.jcache;

import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.KeyLocks;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.cache.CacheManager;

/// What all views of a cache share.
final class CacheState<K, V> {
  final String name;
  final CacheManager manager;
  final CacheOptions<K, V> options;
  final Container<K, V> container;
  final Marshaller<K> keyMarshaller;
  final Source<K, V> source;
  final Counters counters;
  final InstantSource clock;
  final Expiry expiry;
  final KeyLocks locks = new KeyLocks();
  final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /// Set once, under all locks.
  volatile boolean closed;

  CacheState(
      String name,
      CacheManager manager,
      CacheOptions<K, V> options,
      Container<K, V> container,
      Marshaller<K> keyMarshaller,
      Source<K, V> source,
      Counters counters,
      InstantSource clock) {
    this.name = name;
    this.manager = manager;
    this.options = options;
    this.container = container;
    this.keyMarshaller = keyMarshaller;
    this.source = source;
    this.counters = counters;
    this.clock = clock;
    this.expiry = new Expiry(options.getExpiryPolicyFactory().create());
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache is closed: cache=" + name);
    }
  }
}
