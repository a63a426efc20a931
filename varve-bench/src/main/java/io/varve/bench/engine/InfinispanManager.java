package io.varve.bench.engine;

import java.io.Closeable;
import java.io.IOException;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;

/// Infinispan's manager of embedded caches, by reflection: its annotations are in no jar that can
/// be had, and the compiler warns of what it cannot read.
public final class InfinispanManager implements AutoCloseable {
  private static final String MANAGER = "org.infinispan.manager.DefaultCacheManager";

  private final Closeable manager;

  /// Starts a manager without a cluster.
  public InfinispanManager() {
    this(new ConfigurationBuilderHolder());
  }

  /// Starts a manager.
  public InfinispanManager(ConfigurationBuilderHolder configuration) {
    try {
      manager =
          Class.forName(MANAGER)
              .asSubclass(Closeable.class)
              .getConstructor(ConfigurationBuilderHolder.class)
              .newInstance(configuration);
    } catch (ReflectiveOperationException e) {
      throw new EngineException(e);
    }
  }

  /// Makes a cache.
  @SuppressWarnings("unchecked") // a new cache takes what it is given
  public <K, V> Cache<K, V> createCache(String name, Configuration configuration) {
    try {
      return (Cache<K, V>)
          manager
              .getClass()
              .getMethod("createCache", String.class, Configuration.class)
              .invoke(manager, name, configuration);
    } catch (ReflectiveOperationException e) {
      throw new EngineException(e);
    }
  }

  @Override
  public void close() {
    try {
      manager.close();
    } catch (IOException e) {
      throw new EngineException(e);
    }
  }
}
