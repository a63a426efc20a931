package io.varve.infinispan.query;

import io.varve.infinispan.VarveStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.configuration.cache.StoreConfiguration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.CacheManagerNotifier;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStopped;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStoppedEvent;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.query.impl.config.SearchPropertyExtractor;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;

/// Sees to it that the index of a cache in a directory contains what its [VarveStore] holds. The
/// index is another store, which knows nothing of commits: after a crash it may be stale, and a
/// user may have removed it.
///
/// When a cache stops, the session of its store is noted next to the index, in the file
/// `varve-session`; the note is removed when the cache starts. So at a start the index matches the
/// entries if the note names the session before. It is rebuilt if the note names another, or is not
/// there.
///
/// Public since Infinispan calls it as a listener.
@Listener
public final class PersistentIndex {
  private static final System.Logger LOGGER = System.getLogger(PersistentIndex.class.getName());
  private static final String NOTE = "varve-session";

  private final CacheManagerNotifier notifier;
  private final String cacheName;
  private final Path note;
  private final UUID session;

  private PersistentIndex(
      CacheManagerNotifier notifier, String cacheName, Path note, UUID session) {
    this.notifier = notifier;
    this.cacheName = cacheName;
    this.note = note;
    this.session = session;
  }

  /// Has the index of this node rebuilt if it is missing or older than the entries. To be called
  /// once after each start of a cache, on each node. The cache may be in use during that; queries
  /// find what is indexed so far. What is written during that is in the index when the stage
  /// completes.
  ///
  /// @return completes when the index is whole, with whether it was rebuilt
  /// @throws IllegalArgumentException if the cache has no index, or none in a directory, which
  ///   Infinispan rebuilds itself; or no [VarveStore]
  public static CompletionStage<Boolean> repair(Cache<?, ?> cache) {
    return repair(cache, _ -> {});
  }

  /// Does the same, and reports how far it is.
  ///
  /// @param indexed notified of the entries that were indexed since its last call, by each hundred
  ///   or so, on a thread that may wait
  public static CompletionStage<Boolean> repair(Cache<?, ?> cache, LongConsumer indexed) {
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
    ComponentRegistry components = ComponentRegistry.of(cache);
    CacheManagerNotifier notifier = components.getComponent(CacheManagerNotifier.class);
    PersistentIndex index = new PersistentIndex(notifier, cache.getName(), note, store.session());
    boolean isKept = isKeptAtStarts(advanced.getCacheConfiguration());
    return components
        .getComponent(BlockingManager.class)
        .supplyBlocking(
            () -> {
              if (index.takeNote(store.previousSession()) && isKept) {
                return false;
              }
              index.rebuild(components, indexed);
              return true;
            },
            "varve-index")
        .thenCompose(
            // From now on the index is noted as whole at a stop.
            isRebuilt -> notifier.addListenerAsync(index).thenApply(_ -> isRebuilt));
  }

  /// Rebuilds the index of this node, whatever it has: for one on the heap, which a start begins
  /// without. What is written during that is in the index when the stage completes.
  ///
  /// @throws IllegalArgumentException if the cache has no index
  public static CompletionStage<Void> rebuild(Cache<?, ?> cache) {
    return rebuild(cache, _ -> {});
  }

  /// Does the same, and reports how far it is.
  ///
  /// @param indexed as that of [#repair(Cache, LongConsumer)]
  public static CompletionStage<Void> rebuild(Cache<?, ?> cache, LongConsumer indexed) {
    if (!cache.getCacheConfiguration().indexing().enabled()) {
      throw new IllegalArgumentException("no index: cache=" + cache.getName());
    }
    ComponentRegistry components = ComponentRegistry.of(cache);
    return components
        .getComponent(BlockingManager.class)
        .runBlocking(() -> IndexRebuild.of(components, indexed).run(), "varve-index");
  }

  /// Whether Infinispan leaves an index at a start as it is. It empties one whose entries it takes
  /// for lost, since the store is purged at some starts, and does not know at which.
  private static boolean isKeptAtStarts(Configuration configuration) {
    return switch (configuration.indexing().startupMode()) {
      case NONE -> true;
      case AUTO ->
          configuration.persistence().stores().stream()
              .noneMatch(StoreConfiguration::purgeOnStartup);
      case PURGE, REINDEX -> false;
    };
  }

  private static VarveStore<?, ?> store(AdvancedCache<?, ?> cache) {
    return ComponentRegistry.componentOf(cache, PersistenceManager.class)
        .getStores(VarveStore.class)
        .stream()
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no varve-store: cache=" + cache.getName()));
  }

  /// What a note contains. The version is there since Infinispan deletes an index whose format it
  /// does not read any more, without notice.
  private static String line(UUID session) {
    return session + " " + Version.getVersion();
  }

  /// Removes the note.
  ///
  /// @param previous the session before; null if there was none, and so no entry
  /// @return whether the note was there and named it
  private boolean takeNote(@Nullable UUID previous) {
    try {
      boolean isWhole =
          previous != null && Files.exists(note) && Files.readString(note).equals(line(previous));
      Files.deleteIfExists(note);
      return isWhole;
    } catch (IOException e) {
      throw new UncheckedIOException("the note next to an index cannot be read: file=" + note, e);
    }
  }

  private void rebuild(ComponentRegistry components, LongConsumer indexed) {
    LOGGER.log(
        System.Logger.Level.INFO,
        "an index is missing or older than its entries and is rebuilt: cache={0}, index={1}",
        cacheName,
        note.getParent());
    IndexRebuild.of(components, indexed).run();
  }

  /// Notes the session, once neither index nor entries change any more.
  @CacheStopped
  public void cacheStopped(CacheStoppedEvent event) {
    if (event.getCacheName().equals(cacheName)) {
      notifier.removeListenerAsync(this);
      try {
        Files.createDirectories(note.getParent());
        Files.writeString(note, line(session));
      } catch (IOException e) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "the note next to an index cannot be written; it is rebuilt at the next start: file="
                + note,
            e);
      }
    }
  }
}
