package io.varve.cdi;

import io.varve.VarveException;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serial;
import java.io.Serializable;
import java.lang.annotation.Annotation;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheResultInterceptor;
import org.jsr107.ri.annotations.CacheResultMethodDetails;
import org.jsr107.ri.annotations.InterceptorType;
import org.jsr107.ri.annotations.InternalCacheKeyInvocationContext;

/// Answers a call from a cache, or keeps its answer there.
@CacheResult
@Interceptor
@Priority(CallOrder.CACHES)
class CacheResultInterceptor extends AbstractCacheResultInterceptor<InvocationContext>
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a proxy, which can be serialized
  private final CacheLookup lookup;

  @SuppressWarnings("serial") // as above
  private final PutFailures failures;

  @Inject
  CacheResultInterceptor(CacheLookup lookup, PutFailures failures) {
    this.lookup = lookup;
    this.failures = failures;
  }

  /// As the specification has it, except that an entry that cannot be read is none. A cache that
  /// cannot keep an answer does not fail the call.
  @AroundInvoke
  @Nullable Object around(InvocationContext call) throws Throwable {
    InternalCacheKeyInvocationContext<? extends Annotation> keyed =
        lookup.getCacheKeyInvocationContext(call);
    CacheResultMethodDetails method =
        getStaticCacheKeyInvocationContext(keyed, InterceptorType.CACHE_RESULT);
    CacheResult annotation = method.getCacheAnnotation();
    Cache<Object, Object> cache = method.getCacheResolver().resolveCache(keyed);
    Cache<Object, Throwable> exceptions = getExceptionCache(keyed, method);
    GeneratedCacheKey key = method.getCacheKeyGenerator().generateCacheKey(keyed);
    CallEntry<Object> entry = new CallEntry<>(cache, key);
    if (!annotation.skipGet()) {
      Object kept = entry.read();
      if (kept != null) {
        return kept;
      }
      checkForCachedException(exceptions, key);
    }
    Object answer;
    try {
      answer = call.proceed();
    } catch (Throwable e) {
      cacheException(exceptions, key, annotation, e);
      throw e;
    }
    if (answer != null) {
      entry.keep(answer, annotation.skipGet(), failures);
    }
    return answer;
  }

  @Override
  protected @Nullable Object proceed(InvocationContext call) throws Exception {
    return call.proceed();
  }

  @Override
  protected void checkForCachedException(
      @Nullable Cache<Object, Throwable> exceptions, GeneratedCacheKey key) throws Throwable {
    Throwable kept = exceptions == null ? null : new CallEntry<>(exceptions, key).read();
    if (kept != null) {
      throw kept;
    }
  }

  /// Keeps an exception of the method, and none of the cache: that one is no answer. The method's
  /// exception is that of the call, whether or not it can be kept.
  @Override
  protected void cacheException(
      @Nullable Cache<Object, Throwable> exceptions,
      GeneratedCacheKey key,
      CacheResult annotation,
      Throwable thrown) {
    if (exceptions == null
        || thrown instanceof CacheException
        || thrown instanceof VarveException) {
      return;
    }
    try {
      super.cacheException(exceptions, key, annotation, thrown);
    } catch (RuntimeException e) {
      failures.putFailed(exceptions.getName(), e);
    }
  }
}
