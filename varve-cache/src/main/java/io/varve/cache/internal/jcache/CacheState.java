package io.varve.cache.internal.jcache;

import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Gate;
import io.varve.cache.internal.container.KeyLocks;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheManager;

/// What all views of a cache share.
///
/// @param classLoader keeps it, and so the manager in its provider, for as long as the cache is
///   open
/// @param closing held while the cache is being closed, so that a second closer waits for the first
record CacheState<K, V>(
    String name,
    CacheManager manager,
    ClassLoader classLoader,
    CacheOptions<K, V> options,
    Container<K, V> container,
    Gate gate,
    KeyLocks<K> locks,
    Marshaller<K> keyMarshaller,
    Source<K, V> source,
    Counters counters,
    Expiry expiry,
    InstantSource clock,
    ManagementBeans beans,
    ReentrantLock closing) {}
