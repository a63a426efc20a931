package io.varve.infinispan;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.tx.PrepareCommand;
import org.infinispan.commands.tx.TransactionBoundaryCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.TxInvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.interceptors.AsyncInterceptor;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.CacheLoaderInterceptor;
import org.infinispan.interceptors.impl.ClusteredCacheLoaderInterceptor;
import org.infinispan.interceptors.impl.EntryWrappingInterceptor;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.manager.PersistenceManager.StoreChangeListener;
import org.infinispan.persistence.manager.PersistenceStatus;

/// Keeps what a write has replaced from coming back by a load.
///
/// A call that does not find its key in memory loads it from the store, without a lock. Infinispan
/// 16.0.7 puts what it loaded into memory if the key is not there then. The key may have been
/// written and removed in between. So the old entry is back, until it is written again. Infinispan
/// also gives what one call loads to all that miss the key in that time. Of these some began after
/// a write was acknowledged, and some are writes: a replacement compares with a value that is gone.
///
/// - LOAD-1 What was loaded goes into memory only if no other write of its key was under way when
///   the load began, or began after. In a cluster the topology has to be the same, too.
/// - LOAD-2 A read is given what another read loads only if no write of the key has begun since
///   that load did. A write, and any other read, asks the store if memory has no entry.
///
/// The guard is the interceptor that counts writes, from before they look at memory until they are
/// in memory and in the store ([StripedWrites]). Keys have their counts in common: a write of
/// another key may cost a load, and nothing else.
///
/// Not guarded are caches that invalidate or passivate. The first store of a cache may be added
/// while the cache is in use. Such a cache is guarded once it has a loader, which comes after the
/// start of the store.
///
/// **Threads:** safe for any number of them.
final class LoadGuard extends BaseAsyncInterceptor {
  private static final System.Logger LOGGER = System.getLogger(LoadGuard.class.getName());

  private final StripedWrites writes;

  private LoadGuard(StripedWrites writes) {
    this.writes = writes;
  }

  /// Adds a guard to a cache whose store starts.
  static void add(Cache<?, ?> cache) {
    BasicComponentRegistry components =
        ComponentRegistry.of(cache).getComponent(BasicComponentRegistry.class);
    if (!ExpiryGuard.hasInterceptors(components)) {
      return;
    }
    AsyncInterceptorChain chain = components.getComponent(AsyncInterceptorChain.class).wired();
    AsyncInterceptor own = chain.findInterceptorExtending(CacheLoaderInterceptor.class);
    AsyncInterceptor wrapping = chain.findInterceptorExtending(EntryWrappingInterceptor.class);
    if (own == null) {
      awaitLoader(cache, components.getComponent(PersistenceManager.class).wired());
      return;
    }
    if (wrapping == null) {
      return;
    }
    if (!components.hasComponentAccessor(LocalLoader.class.getName())) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "what was removed may come back by a read at the same time: cache="
              + cache.getName()
              + ", missing="
              + LoadModule.class.getName()
              + "; have META-INF/services/"
              + ModuleMetadataBuilder.class.getName()
              + " of varve-infinispan where Infinispan finds its own, merged in a single jar");
      return;
    }
    var writes = new StripedWrites();
    AsyncInterceptor loader;
    if (own.getClass() == CacheLoaderInterceptor.class) {
      loader = new LocalLoader<>(writes, components);
    } else if (own.getClass() == ClusteredCacheLoaderInterceptor.class) {
      loader = new ClusterLoader<>(writes, components);
    } else {
      return; // one that is not guarded; or ours: the cache was stopped, and starts again
    }
    chain.addInterceptorBefore(new LoadGuard(writes), wrapping.getClass()); // before it is asked
    components.replaceComponent(
        CacheLoaderInterceptor.class.getName(), loader, /* manageLifecycle= */ true);
    chain.replaceInterceptor(loader, own.getClass());
  }

  private static void awaitLoader(Cache<?, ?> cache, PersistenceManager stores) {
    stores.addStoreListener(
        new StoreChangeListener() {
          @Override
          public void storeChanged(PersistenceStatus status) {
            stores.removeStoreListener(this);
            add(cache);
          }
        });
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) {
    if (command instanceof ClearCommand) {
      writes.beginAll();
      return invokeNextAndFinally(context, command, (_, _, _, _) -> writes.endAll());
    }
    Collection<?> keys = written(context, command);
    if (keys.isEmpty()) {
      return invokeNext(context, command);
    }
    keys.forEach(writes::begin);
    return invokeNextAndFinally(context, command, (_, _, _, _) -> keys.forEach(writes::end));
  }

  /// The keys that a command may write, as they are now.
  private static Collection<?> written(InvocationContext context, VisitableCommand command) {
    if (command instanceof WriteCommand write) {
      return List.copyOf(write.getAffectedKeys());
    }
    if (!(command instanceof TransactionBoundaryCommand)
        || !(context instanceof TxInvocationContext<?> transaction)) {
      return List.of();
    }
    // Owners other than the caller's node have them in the modifications alone.
    Set<Object> keys = new HashSet<>(transaction.getAffectedKeys());
    List<WriteCommand> changes =
        command instanceof PrepareCommand prepare
            ? prepare.getModifications()
            : transaction.getModifications();
    if (changes != null) {
      changes.forEach(change -> keys.addAll(change.getAffectedKeys()));
    }
    return keys;
  }
}
