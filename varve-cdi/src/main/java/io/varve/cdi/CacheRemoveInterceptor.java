package io.varve.cdi;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serial;
import java.io.Serializable;
import javax.cache.annotation.CacheRemove;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheRemoveEntryInterceptor;

/// Removes the entry of a call's key from a cache, before or after the call.
@CacheRemove
@Interceptor
@Priority(CallOrder.CACHES)
class CacheRemoveInterceptor extends AbstractCacheRemoveEntryInterceptor<InvocationContext>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a proxy, which can be serialized
  private final CacheLookup lookup;

  @Inject
  CacheRemoveInterceptor(CacheLookup lookup) {
    this.lookup = lookup;
  }

  @AroundInvoke
  @Nullable Object around(InvocationContext call) throws Throwable {
    return cacheRemoveEntry(lookup, call);
  }

  @Override
  protected @Nullable Object proceed(InvocationContext call) throws Exception {
    return call.proceed();
  }
}
