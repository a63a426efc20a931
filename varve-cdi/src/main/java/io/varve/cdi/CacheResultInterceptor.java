package io.varve.cdi;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import javax.cache.annotation.CacheResult;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheResultInterceptor;

/// Answers a call from a cache, or keeps its answer there.
@CacheResult
@Interceptor
@Priority(CallOrder.CACHES)
class CacheResultInterceptor extends AbstractCacheResultInterceptor<InvocationContext> {
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
}
