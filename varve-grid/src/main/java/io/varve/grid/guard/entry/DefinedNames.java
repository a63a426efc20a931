package io.varve.grid.guard.entry;

import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.commons.CacheException;
import org.infinispan.commons.internal.InternalCacheNames;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.globalstate.ScopedState;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;

/// Refuses names of caches and counters that name a property of the process, whatever protocol they
/// come by. It is an interceptor of the cache in which Infinispan has their definitions.
///
/// (DEFINED-1) Infinispan writes a name as it is, and puts properties in when it reads it again. So
/// each user who may make a counter could read the environment after a restart. What another node
/// has already is taken from it.
public final class DefinedNames extends BaseAsyncInterceptor {
  /// Looks at the names if this is the cache that has them. Does nothing the second time.
  public static void add(ComponentRegistry cache, String name) {
    AsyncInterceptorChain chain = cache.getComponent(AsyncInterceptorChain.class);
    if (name.equals(InternalCacheNames.CONFIG_STATE_CACHE_NAME)
        && !chain.containsInterceptorType(DefinedNames.class)) {
      chain.addInterceptor(new DefinedNames(), 0);
    }
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) throws Throwable {
    if (context.isOriginLocal()
        && command instanceof PutKeyValueCommand put
        && !put.hasAnyFlag(FlagBitSets.PUT_FOR_STATE_TRANSFER)
        && put.getKey() instanceof ScopedState state
        && CacheDefinition.namesProperty(state.getName())) {
      throw new CacheException("refused: " + CacheDefinition.PROPERTIES);
    }
    return invokeNext(context, command);
  }
}
