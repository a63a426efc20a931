package io.varve.cache.internal.jcache;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Closes what users gave to a cache, which may fail: the cache closes all the same.
final class Closing {
  private static final System.Logger LOGGER = System.getLogger(Closing.class.getName());

  private Closing() {}

  static void close(@Nullable Object... given) {
    for (Object each : given) {
      if (each instanceof Closeable closeable) {
        try {
          closeable.close();
        } catch (IOException | RuntimeException e) {
          LOGGER.log(
              System.Logger.Level.WARNING, "not closed: class=" + each.getClass().getName(), e);
        }
      }
    }
  }
}
