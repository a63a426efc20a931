package io.varve.bench.cache;

import io.varve.bench.engine.EngineType;
import java.util.List;
import java.util.Optional;

/// Every cache that can be measured.
public final class Caches {
  private static final List<CacheType> ALL =
      List.of(
          VarveCaches.DEFAULT,
          VarveCaches.LARGE_PAGES,
          new CaffeineJCaches(),
          new EhcacheCaches(),
          new InfinispanCaches(),
          MapCaches.CAFFEINE,
          MapCaches.CONCURRENT_HASH_MAP);

  private Caches() {}

  /// The cache of a label, if there is one.
  public static Optional<CacheType> named(String label) {
    return ALL.stream().filter(type -> type.label().equals(label)).findFirst();
  }

  /// The cache that an engine is, or has in addition, as Varve has; nothing if it has none.
  public static Optional<CacheType> of(EngineType type) {
    return named(type.label());
  }

  /// Every cache, Varve's first.
  public static List<CacheType> all() {
    return ALL;
  }
}
