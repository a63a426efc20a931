package io.varve.cdi;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serial;
import java.io.Serializable;
import javax.cache.annotation.CacheRemoveAll;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheRemoveAllInterceptor;

/// Removes all entries of a cache, before or after a call.
@CacheRemoveAll
@Interceptor
@Priority(CallOrder.CACHES)
class CacheRemoveAllInterceptor extends AbstractCacheRemoveAllInterceptor<InvocationContext>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a proxy, which can be serialized
  private final CacheLookup lookup;

  @Inject
  CacheRemoveAllInterceptor(CacheLookup lookup) {
    this.lookup = lookup;
  }

  @AroundInvoke
  @Nullable Object around(InvocationContext call) throws Throwable {
    return cacheRemoveAll(lookup, call);
  }

  @Override
  protected @Nullable Object proceed(InvocationContext call) throws Exception {
    return call.proceed();
  }
}
