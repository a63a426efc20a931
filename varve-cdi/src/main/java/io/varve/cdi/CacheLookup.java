package io.varve.cdi;

import static java.util.Objects.requireNonNull;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.InvocationContext;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheInvocationParameter;
import javax.cache.annotation.CacheKeyGenerator;
import javax.cache.annotation.CacheResolverFactory;
import org.jspecify.annotations.Nullable;
import org.jsr107.ri.annotations.AbstractCacheLookupUtil;
import org.jsr107.ri.annotations.AbstractInternalCacheInvocationContext;
import org.jsr107.ri.annotations.AbstractInternalCacheKeyInvocationContext;
import org.jsr107.ri.annotations.InternalCacheInvocationContext;
import org.jsr107.ri.annotations.InternalCacheKeyInvocationContext;
import org.jsr107.ri.annotations.StaticCacheInvocationContext;
import org.jsr107.ri.annotations.StaticCacheKeyInvocationContext;

/// Finds out what the annotations of a called method mean, once for each method: its cache, its
/// key, and what makes both.
///
/// Safe for threads. Interceptors have a proxy of it, which can be serialized: so they may be of
/// beans that are passivated.
@ApplicationScoped
class CacheLookup extends AbstractCacheLookupUtil<InvocationContext> {
  private final @Nullable Instance<Object> beans; // null in proxies
  private final @Nullable CacheResolverFactory resolvers;
  private final CacheKeyGenerator keys =
      call ->
          new CallKey(
              Arrays.stream(call.getKeyParameters())
                  .map(CacheInvocationParameter::getValue)
                  .toArray());

  /// Of proxies, which pass calls on.
  CacheLookup() {
    this.beans = null;
    this.resolvers = null;
  }

  @Inject
  CacheLookup(@Any Instance<Object> beans, CacheManager manager) {
    this.beans = beans;
    this.resolvers = new ManagerCaches(manager);
  }

  @Override
  protected InternalCacheKeyInvocationContext<? extends Annotation>
      createCacheKeyInvocationContextImpl(
          StaticCacheKeyInvocationContext<? extends Annotation> method, InvocationContext call) {
    return new KeyedCall<>(method, call);
  }

  @Override
  protected InternalCacheInvocationContext<? extends Annotation> createCacheInvocationContextImpl(
      StaticCacheInvocationContext<? extends Annotation> method, InvocationContext call) {
    return new Call<>(method, call);
  }

  /// The class of the bean, not the one that the container made of it: that has no annotations.
  @Override
  protected Class<?> getTargetClass(InvocationContext call) {
    Class<?> type = call.getTarget().getClass();
    while (type.isSynthetic() || type.getName().contains("$$")) {
      type = type.getSuperclass();
    }
    return type;
  }

  @Override
  protected Method getMethod(InvocationContext call) {
    return call.getMethod();
  }

  /// A bean of that class, or an object of it if it is not one.
  @Override
  protected <T> T getObjectByType(Class<T> type) {
    Instance<T> bean = requireNonNull(beans).select(type);
    if (bean.isResolvable()) {
      return bean.get();
    }
    if (bean.isAmbiguous()) {
      throw new CacheException(
          "a class that an annotation names is several beans: class="
              + type.getName()
              + "; name one of those that extend it");
    }
    try {
      return type.getDeclaredConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new CacheException(
          "a class that an annotation names fails: class=" + type.getName(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new CacheException(
          "a class that an annotation names cannot be made: class="
              + type.getName()
              + "; make it a bean, or public with a public constructor without parameters",
          e);
    }
  }

  @Override
  protected CacheKeyGenerator getDefaultCacheKeyGenerator() {
    return keys;
  }

  @Override
  protected CacheResolverFactory getDefaultCacheResolverFactory() {
    return requireNonNull(resolvers);
  }

  /// A call of which all parameters matter.
  private static final class Call<A extends Annotation>
      extends AbstractInternalCacheInvocationContext<InvocationContext, A> {
    Call(StaticCacheInvocationContext<A> method, InvocationContext call) {
      super(method, call);
    }

    @Override
    protected Object[] getParameters(InvocationContext call) {
      return call.getParameters();
    }

    @Override
    protected Method getMethod(InvocationContext call) {
      return call.getMethod();
    }

    @Override
    protected Object getTarget(InvocationContext call) {
      return call.getTarget();
    }
  }

  /// A call of which some parameters are a key, and one may be a value.
  private static final class KeyedCall<A extends Annotation>
      extends AbstractInternalCacheKeyInvocationContext<InvocationContext, A> {
    KeyedCall(StaticCacheKeyInvocationContext<A> method, InvocationContext call) {
      super(method, call);
    }

    @Override
    protected Object[] getParameters(InvocationContext call) {
      return call.getParameters();
    }

    @Override
    protected Method getMethod(InvocationContext call) {
      return call.getMethod();
    }

    @Override
    protected Object getTarget(InvocationContext call) {
      return call.getTarget();
    }
  }
}
