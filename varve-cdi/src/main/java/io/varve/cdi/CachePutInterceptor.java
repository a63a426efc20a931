package io.varve.cdi;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serial;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import javax.cache.Cache;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCachePutInterceptor;
import org.jsr107.ri.annotations.CachePutMethodDetails;
import org.jsr107.ri.annotations.InternalCacheKeyInvocationContext;

/// Puts a parameter of a call in a cache, before or after it.
@CachePut
@Interceptor
@Priority(CallOrder.CACHES)
class CachePutInterceptor extends AbstractCachePutInterceptor<InvocationContext>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a proxy, which can be serialized
  private final CacheLookup lookup;

  @SuppressWarnings("serial") // as above
  private final PutFailures failures;

  @Inject
  CachePutInterceptor(CacheLookup lookup, PutFailures failures) {
    this.lookup = lookup;
    this.failures = failures;
  }

  @AroundInvoke
  @Nullable Object around(InvocationContext call) throws Throwable {
    return cachePut(lookup, call);
  }

  @Override
  protected @Nullable Object proceed(InvocationContext call) throws Exception {
    return call.proceed();
  }

  /// A cache that cannot keep a value fails a call that is still to be made, and no other.
  @Override
  protected void cacheValue(
      InternalCacheKeyInvocationContext<? extends Annotation> call,
      CachePutMethodDetails method,
      @Nullable Object value) {
    if (!method.getCacheAnnotation().afterInvocation()) {
      super.cacheValue(call, method, value);
      return;
    }
    Cache<Object, Object> cache = method.getCacheResolver().resolveCache(call);
    GeneratedCacheKey key = method.getCacheKeyGenerator().generateCacheKey(call);
    new CallEntry<>(cache, key).keep(value, true, failures);
  }
}
