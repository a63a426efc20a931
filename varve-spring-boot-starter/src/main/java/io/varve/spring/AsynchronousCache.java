package io.varve.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.CacheOperationInvoker.ThrowableWrapper;
import org.springframework.cache.jcache.JCacheCache;

/// A cache as Spring uses it, also for methods that answer later: by a `CompletableFuture`, or by
/// what Reactor has for it. Spring's own cache over JCache refuses these.
///
/// - **Threads:** safe for any number of threads.
class AsynchronousCache extends JCacheCache {
  AsynchronousCache(Cache<Object, Object> cache, boolean allowsNull) {
    super(cache, allowsNull);
  }

  @Override
  public @Nullable CompletableFuture<?> retrieve(Object key) {
    ValueWrapper present = get(key);
    return present == null ? null : CompletableFuture.completedFuture(present);
  }

  /// Runs the method in a thread that holds the lock of the key until the answer is there, as `sync
  /// = true` means it. So an eviction comes before the method or after the put of its answer.
  @Override
  @SuppressWarnings("unchecked") // as Spring has it: the caller that asks must know
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> method) {
    ValueWrapper present = get(key); // in this thread, whose caller handles what cannot be read
    if (present != null) {
      return CompletableFuture.completedFuture((T) present.get());
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("varve-answer")
        .start(() -> {
          try {
            answer.complete(get(key, () -> method.get().join()));
          } catch (Throwable e) { // or the caller waits forever
            answer.completeExceptionally(causeOf(e));
          }
        });
    return answer;
  }

  /// What the method failed with, as without a cache.
  private static Throwable causeOf(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null
        && (at instanceof ValueRetrievalException
            || at instanceof CompletionException
            || at instanceof ThrowableWrapper)) {
      at = at.getCause();
    }
    return at;
  }
}
