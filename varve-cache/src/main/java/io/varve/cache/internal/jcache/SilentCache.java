package io.varve.cache.internal.jcache;

import io.varve.VarveException;
import io.varve.cache.Flag;
import io.varve.cache.VarveCache;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.cache.CacheException;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/// A view of a cache that drops what the store, a loader, a writer or a listener throws.
final class SilentCache implements InvocationHandler {
  private final VarveCache<?, ?> cache;

  private SilentCache(VarveCache<?, ?> cache) {
    this.cache = cache;
  }

  @SuppressWarnings("unchecked") // the proxy has the one interface
  static <K, V> VarveCache<K, V> of(VarveCache<K, V> cache) {
    return (VarveCache<K, V>)
        Proxy.newProxyInstance(
            SilentCache.class.getClassLoader(),
            new Class<?>[] {VarveCache.class},
            new SilentCache(cache));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("with") && arguments != null) {
      return cache.with((Flag[]) arguments[0]); // which is silent, too
    }
    if (method.getName().equals("withExpiry") && arguments != null) {
      return cache.withExpiry((ExpiryPolicy) arguments[0]); // which is silent, too
    }
    if (method.getName().equals("statistics")) {
      return cache.statistics(); // figures that count nothing would be wrong, not silent
    }
    if (method.getName().equals("asMap")) {
      return new CacheMap<>((VarveCache<?, ?>) proxy);
    }
    try {
      return method.invoke(cache, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof CacheException || cause instanceof VarveException) {
        return nothing(method.getReturnType());
      }
      throw cause == null ? e : cause;
    }
  }

  private static @Nullable Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == Optional.class) {
      return Optional.empty();
    }
    if (type == Map.class) {
      return Map.of();
    }
    if (type == Stream.class) {
      return Stream.empty();
    }
    return type == Iterator.class ? Collections.emptyIterator() : null;
  }
}
