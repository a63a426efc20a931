package io.varve.cdi;

import io.varve.cache.CacheOptions;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.inject.Inject;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import javax.cache.Cache;
import javax.cache.CacheManager;

/// Gives the caches that injection points name.
@Dependent
final class NamedCaches {
  private final ManagerCaches caches;

  @Inject
  NamedCaches(CacheManager manager) {
    this.caches = new ManagerCaches(manager);
  }

  @Produces
  @NamedCache("")
  <K, V> Cache<K, V> cache(InjectionPoint point) {
    return caches.cache(name(point), () -> options(point));
  }

  private static String name(InjectionPoint point) {
    return point.getQualifiers().stream()
        .filter(NamedCache.class::isInstance)
        .map(qualifier -> ((NamedCache) qualifier).value())
        .findAny()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked") // the point states what types it is of
  private static <K, V> CacheOptions<K, V> options(InjectionPoint point) {
    CacheOptions<K, V> options = new CacheOptions<>();
    if (point.getType() instanceof ParameterizedType type) {
      Type[] arguments = type.getActualTypeArguments();
      if (arguments[0] instanceof Class<?> key && arguments[1] instanceof Class<?> value) {
        options.setTypes((Class<K>) key, (Class<V>) value);
      }
    }
    return options;
  }
}
