package io.varve.infinispan.query;

import io.varve.infinispan.VarveStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStopped;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStoppedEvent;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.query.Indexer;
import org.infinispan.query.impl.config.SearchPropertyExtractor;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;

/// Sees to it that the index of a cache in a directory says what its [VarveStore] holds. The index
/// is another store, which knows nothing of commits: after a crash it may be behind, and somebody
/// may have removed it.
///
/// When a cache stops, the session of its store is noted beside the index, in the file
/// `varve-session`; the note is removed when the cache starts. So at a start the index is that of
/// the entries if the note names the session before, and is rebuilt if it does not, or is not
/// there.
///
/// Public since Infinispan calls it as a listener.
@Listener
public final class PersistentIndex {
  private static final System.Logger LOGGER = System.getLogger(PersistentIndex.class.getName());
  private static final String NOTE = "varve-session";

  private final EmbeddedCacheManager manager;
  private final String cacheName;
  private final Path note;
  private final UUID session;

  private PersistentIndex(EmbeddedCacheManager manager, String cacheName, Path note, UUID session) {
    this.manager = manager;
    this.cacheName = cacheName;
    this.note = note;
    this.session = session;
  }

  /// Has the index of this node rebuilt if it is missing or behind. To be called once after each
  /// start of a cache, on each node. The cache is in use meanwhile; queries find what is indexed so
  /// far.
  ///
  /// @return completes when the index is whole, with whether it was rebuilt
  /// @throws IllegalArgumentException if the cache has no index, or none in a directory, which
  ///   Infinispan rebuilds itself; or no [VarveStore]
  public static CompletionStage<Boolean> repair(Cache<?, ?> cache) {
    AdvancedCache<?, ?> advanced = cache.getAdvancedCache();
    var indexing = advanced.getCacheConfiguration().indexing();
    if (!indexing.enabled() || indexing.storage() != IndexStorage.FILESYSTEM) {
      throw new IllegalArgumentException(
          "no index in a directory: cache=" + cache.getName() + ", storage=" + indexing.storage());
    }
    VarveStore<?, ?> store = store(advanced);
    EmbeddedCacheManager manager = cache.getCacheManager();
    Path note =
        SearchPropertyExtractor.getIndexLocation(
                manager.getCacheManagerConfiguration(), indexing.path(), cache.getName())
            .resolve(NOTE);
    PersistentIndex index = new PersistentIndex(manager, cache.getName(), note, store.session());
    BlockingManager blocking = ComponentRegistry.componentOf(advanced, BlockingManager.class);
    return blocking
        .supplyBlocking(() -> index.takeNote(store.previousSession()), "varve-index")
        .thenCompose(
            isWhole -> isWhole ? CompletableFuture.completedFuture(false) : index.rebuild(advanced))
        .whenComplete((_, failure) -> {
          if (failure == null) {
            manager.addListener(index); // from now on the index is noted as whole at a stop
          }
        });
  }

  private static VarveStore<?, ?> store(AdvancedCache<?, ?> cache) {
    return ComponentRegistry.componentOf(cache, PersistenceManager.class)
        .getStores(VarveStore.class)
        .stream()
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no varve-store: cache=" + cache.getName()));
  }

  /// Removes the note.
  ///
  /// @param previous the session before; null if there was none, and so no entry
  /// @return whether the note was there and named it
  private boolean takeNote(@Nullable UUID previous) {
    try {
      boolean isWhole =
          previous != null
              && Files.exists(note)
              && Files.readString(note).equals(previous.toString());
      Files.deleteIfExists(note);
      return isWhole;
    } catch (IOException e) {
      throw new UncheckedIOException("the note beside an index cannot be read: file=" + note, e);
    }
  }

  private CompletionStage<Boolean> rebuild(AdvancedCache<?, ?> cache) {
    LOGGER.log(
        System.Logger.Level.INFO,
        "an index is missing or behind its entries and is rebuilt: cache={0}, index={1}",
        cacheName,
        note.getParent());
    Indexer indexer = ComponentRegistry.componentOf(cache, Indexer.class);
    boolean isLocal = cache.getCacheConfiguration().clustering().cacheMode() == CacheMode.LOCAL;
    return (isLocal ? indexer.run() : indexer.runLocal()).thenApply(_ -> true);
  }

  /// Notes the session, once neither index nor entries change any more.
  @CacheStopped
  public void cacheStopped(CacheStoppedEvent event) {
    if (event.getCacheName().equals(cacheName)) {
      manager.removeListener(this);
      try {
        Files.createDirectories(note.getParent());
        Files.writeString(note, session.toString());
      } catch (IOException e) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "the note beside an index cannot be written; it is rebuilt at the next start: file="
                + note,
            e);
      }
    }
  }
}
