package io.varve.cdi;

import io.varve.VarveException;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serial;
import java.io.Serializable;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheResultInterceptor;

/// Answers a call from a cache, or keeps its answer there.
@CacheResult
@Interceptor
@Priority(CallOrder.CACHES)
class CacheResultInterceptor extends AbstractCacheResultInterceptor<InvocationContext>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a proxy, which can be serialized
  private final CacheLookup lookup;

  @Inject
  CacheResultInterceptor(CacheLookup lookup) {
    this.lookup = lookup;
  }

  @AroundInvoke
  @Nullable Object around(InvocationContext call) throws Throwable {
    return cacheResult(lookup, call);
  }

  @Override
  protected @Nullable Object proceed(InvocationContext call) throws Exception {
    return call.proceed();
  }

  /// Keeps an exception of the method, and none of the cache: that one is no answer.
  @Override
  protected void cacheException(
      Cache<Object, Throwable> exceptions,
      GeneratedCacheKey key,
      CacheResult annotation,
      Throwable thrown) {
    if (!(thrown instanceof CacheException || thrown instanceof VarveException)) {
      super.cacheException(exceptions, key, annotation, thrown);
    }
  }
}
