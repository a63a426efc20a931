package io.varve.cdi;

import static java.util.Objects.requireNonNull;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Passes failures of puts to the handler of the application, or logs them: of each cache the 1st,
/// 2nd, 4th, 8th and so on, since each call of a method may fail so.
///
/// Safe for threads. Interceptors have a proxy of it, which can be serialized.
@ApplicationScoped
class PutFailures {
  private static final System.Logger LOGGER = System.getLogger(PutFailures.class.getName());

  private final @Nullable Instance<PutFailureHandler> handlers; // null in proxies
  private final Map<String, Long> failures = new ConcurrentHashMap<>();

  /// Asked for once: a bean without a scope is made for each time that it is asked for.
  private @Nullable PutFailureHandler handler; // guarded by this

  /// Of proxies, which pass calls on.
  PutFailures() {
    this.handlers = null;
  }

  @Inject
  PutFailures(@Any Instance<PutFailureHandler> handlers) {
    this.handlers = handlers;
  }

  void putFailed(String cacheName, RuntimeException failure) {
    if (!requireNonNull(handlers).isUnsatisfied()) {
      handler().putFailed(cacheName, failure);
      return;
    }
    long count = failures.merge(cacheName, 1L, Long::sum);
    if (Long.bitCount(count) == 1) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a cache cannot keep the answer of a call, which runs again next time: cache="
              + cacheName
              + ", failures="
              + count
              + "; see the cause, or make a bean of PutFailureHandler that throws it",
          failure);
    }
  }

  private synchronized PutFailureHandler handler() {
    PutFailureHandler given = handler;
    if (given == null) {
      given = requireNonNull(handlers).get();
      handler = given;
    }
    return given;
  }
}
