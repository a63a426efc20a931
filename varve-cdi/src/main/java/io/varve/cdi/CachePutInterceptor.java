package io.varve.cdi;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serial;
import java.io.Serializable;
import javax.cache.annotation.CachePut;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCachePutInterceptor;

/// Puts a parameter of a call in a cache, before or after it.
@CachePut
@Interceptor
@Priority(CallOrder.CACHES)
class CachePutInterceptor extends AbstractCachePutInterceptor<InvocationContext>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a proxy, which can be serialized
  private final CacheLookup lookup;

  @Inject
  CachePutInterceptor(CacheLookup lookup) {
    this.lookup = lookup;
  }

  @AroundInvoke
  @Nullable Object around(InvocationContext call) throws Throwable {
    return cachePut(lookup, call);
  }

  @Override
  protected @Nullable Object proceed(InvocationContext call) throws Exception {
    return call.proceed();
  }
}
