package io.varve.grid.node;

import io.varve.grid.guard.connection.AsItself;
import io.varve.infinispan.VarveStore;
import io.varve.infinispan.query.PersistentIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStarted;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStartedEvent;
import org.infinispan.persistence.manager.PersistenceManager;

/// Makes the indexes of a node's caches contain what their stores hold, before clients ask.
///
/// Public since Infinispan calls it as a listener.
@Listener
public final class IndexedCaches {
  private static final System.Logger LOGGER = System.getLogger(IndexedCaches.class.getName());

  private final EmbeddedCacheManager caches;

  /// Entries that were indexed so far.
  private final LongAdder entries = new LongAdder();

  /// The caches whose indexes are looked at.
  private final Set<String> repairing = ConcurrentHashMap.newKeySet();

  IndexedCaches(EmbeddedCacheManager caches) {
    this.caches = caches;
  }

  /// Repairs the indexes of all caches that run, and from then on of those that start.
  ///
  /// @return completes when those of the caches that run are whole
  CompletableFuture<Void> repair() {
    List<CompletableFuture<?>> repairs = new ArrayList<>();
    AsItself.run(() -> {
      for (String name : caches.getCacheNames()) {
        if (caches.isRunning(name)) {
          repairs.add(repair(name).toCompletableFuture());
        }
      }
      caches.addListener(this);
    });
    return CompletableFuture.allOf(repairs.toArray(CompletableFuture<?>[]::new));
  }

  /// How far the repairs are.
  Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("entries", entries.sum());
    figures.put("caches", new TreeSet<>(repairing));
    return figures;
  }

  /// Repairs the index of a cache that a client has made. Its start ends after that.
  @CacheStarted
  public CompletionStage<Void> cacheStarted(CacheStartedEvent event) {
    return AsItself.call(() -> repair(event.getCacheName()));
  }

  /// Completes when the index of a cache is whole, if it has one. A cache whose index cannot be
  /// rebuilt is served nevertheless, since its entries are sound.
  private CompletionStage<Void> repair(String name) {
    // The manager gives no cache whose start has not ended.
    ComponentRegistry components =
        GlobalComponentRegistry.of(caches).getNamedComponentRegistry(name);
    if (components == null) {
      return CompletableFuture.completedFuture(null);
    }
    Cache<?, ?> cache = components.getComponent(Cache.class);
    repairing.add(name);
    return repaired(cache)
        .handle((_, failure) -> {
          repairing.remove(name);
          if (failure != null) {
            LOGGER.log(
                System.Logger.Level.ERROR,
                "the index of a cache cannot be rebuilt, and queries may miss entries: cache="
                    + name
                    + "; add the schema that it names, and start the node again",
                failure);
          }
          return null;
        });
  }

  private CompletionStage<?> repaired(Cache<?, ?> cache) {
    Configuration configuration = cache.getCacheConfiguration();
    if (!configuration.indexing().enabled() || !configuration.persistence().usingStores()) {
      return CompletableFuture.completedFuture(null);
    }
    boolean isOurs =
        !ComponentRegistry.componentOf(cache, PersistenceManager.class)
            .getStores(VarveStore.class)
            .isEmpty();
    return isOurs && configuration.indexing().storage() == IndexStorage.FILESYSTEM
        ? PersistentIndex.repair(cache, entries::add)
        : PersistentIndex.rebuild(cache, entries::add);
  }
}
