package io.varve.infinispan;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.varve.Commit;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Range;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import jakarta.transaction.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.commons.configuration.ConfiguredBy;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.ConfigurationManager;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.Configurations;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.persistence.PersistenceUtil;
import org.infinispan.persistence.spi.InitializationContext;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.infinispan.persistence.spi.PersistenceException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/// The store of one cache of Infinispan, in a Varve store of its own below
/// [VarveStoreConfiguration#location()].
///
/// - **Durability:** the stage of a write completes when the promise of
///   [VarveStoreConfiguration#durability()] is kept. A batch is one commit, and so is a transaction
///   of a store that is configured as transactional: all of it survives, or nothing.
/// - **Threads:** no thread that must not block does: an entry is read or written on the calling
///   thread if that waits for nothing, since its pages are in memory; what may wait runs on
///   Infinispan's blocking threads. No thread waits until a commit is durable.
/// - **Segments:** entries of a segment are together. A store takes entries of any segment at any
///   time. If the number of segments of the cache has changed, the start moves entries to where
///   they belong now. A store that is not configured as segmented is stored in the same way.
/// - **Expiry:** nothing that has expired is read. A purge reads what has expired and nothing else.
/// - **Memory:** publishers read as they are asked, from a snapshot of the time of the
///   subscription, which ends with it.
///
/// @param <K> keys of the cache
/// @param <V> its values
@ConfiguredBy(VarveStoreConfiguration.class)
public final class VarveStore<K, V> implements NonBlockingStore<K, V> {
  /// Changes of transactions that are prepared, neither committed nor rolled back.
  private final Map<Transaction, List<Change>> prepared = new ConcurrentHashMap<>();

  /// Null before the first start. Set by it alone, and seen by what Infinispan calls after it.
  private @Nullable OpenCache<K, V> started;

  /// Whether a commit has met a failure that lasts until the cache is started again.
  private volatile boolean failed;

  /// Made by Infinispan, for a cache whose configuration has a [VarveStoreConfiguration].
  public VarveStore() {}

  @Override
  public CompletionStage<Void> start(InitializationContext context) {
    return context
        .getBlockingManager()
        .runBlocking(() -> started = withPersistenceExceptions(() -> open(context)), "varve-start");
  }

  private OpenCache<K, V> open(InitializationContext context) {
    VarveStoreConfiguration configuration = context.getConfiguration();
    Configuration cache = context.getCache().getCacheConfiguration();
    // Where nothing needs segments, every key is of the first, whatever their number.
    int segments = Configurations.needSegments(cache) ? cache.clustering().hash().numSegments() : 1;
    if (segments > EntryKey.SEGMENTS_MAX) {
      throw new PersistenceException(
          "too many segments: segments=" + segments + ", max=" + EntryKey.SEGMENTS_MAX);
    }
    StoreOptions options =
        encrypted(configuration.storeOptions(), context)
            .completionExecutor(context.getNonBlockingExecutor());
    Path directory = directory(configuration, context);
    List<StoreListener> listeners = listeners(context);
    listeners.forEach(listener -> listener.opening(context.getCache()));
    Store store = directory == null ? Store.inMemory(options) : Store.open(directory, options);
    try {
      CacheEntries entries = new CacheEntries(store);
      StoreSession session = entries.begin();
      MarshallableEntryFactory<K, V> factory = context.getMarshallableEntryFactory();
      // What needs segments may come later, by a store that is added while the cache is in use.
      KeyPartitioner partitioner = segments == 1 ? _ -> 0 : context.getKeyPartitioner();
      LongConsumer reading =
          read -> listeners.forEach(listener -> listener.reading(context.getCache(), read));
      entries.spread(
          segments,
          key -> partitioner.getSegment(OpenCache.unmarshalled(EntryKey.marshalled(key), factory)),
          reading);
      ExpiryGuard.add(context.getCache());
      LoadGuard.add(context.getCache());
      ClusterGuards.add(context.getCache());
      SiteVersions.restore(entries, session, context, reading);
      failed = false;
      OpenStore opened = new OpenStore(context.getCache(), directory, store, entries);
      listeners.forEach(listener -> listener.opened(opened));
      return new OpenCache<>(
          entries,
          session,
          opened,
          listeners,
          configuration.segmented(),
          partitioner,
          context.getTimeService(),
          factory,
          context.getBlockingManager());
    } catch (Throwable e) {
      store.close();
      throw e;
    }
  }

  /// With the key of the cache manager, if it has one.
  private static StoreOptions encrypted(StoreOptions options, InitializationContext context) {
    var configured = context.getGlobalConfiguration().module(StoreKeyConfiguration.class);
    return configured == null ? options : options.encryption(configured.key());
  }

  private static List<StoreListener> listeners(InitializationContext context) {
    var configured = context.getGlobalConfiguration().module(StoreListenerConfiguration.class);
    return configured == null ? List.of() : configured.listeners();
  }

  /// Where the store of a cache is, or null if it is in memory.
  private static @Nullable Path directory(
      VarveStoreConfiguration configuration, InitializationContext context) {
    if (configuration.durability() == Durability.NONE) {
      return null;
    }
    Path location =
        PersistenceUtil.getLocation(context.getGlobalConfiguration(), configuration.location());
    Cache<?, ?> cache = context.getCache();
    ConfigurationManager configurations =
        ComponentRegistry.of(cache).getComponent(ConfigurationManager.class);
    try {
      // A directory of its own, since other stores of the cache may have theirs next to it.
      return CacheDirectory.of(
              location, cache.getName(), name -> configurations.getConfiguration(name) != null)
          .resolve("varve");
    } catch (IOException e) {
      throw new PersistenceException(
          "cannot rename the directory of a cache: location="
              + location
              + ", cache="
              + cache.getName()
              + ", directory="
              + CacheDirectory.nameOf(cache.getName()),
          e);
    }
  }

  private OpenCache<K, V> started() {
    return Objects.requireNonNull(started, "not started");
  }

  @Override
  public CompletionStage<Void> stop() {
    OpenCache<K, V> current = started;
    if (current == null) {
      return CompletableFuture.completedFuture(null);
    }
    return current.blocking().runBlocking(() -> close(current), "varve-stop");
  }

  private void close(OpenCache<K, V> current) {
    prepared.clear();
    current.listeners().forEach(listener -> listener.closing(current.store()));
    withPersistenceExceptions(() -> {
      try (CacheEntries entries = current.entries()) {
        if (!failed) {
          entries.end(current.session());
        }
      }
      return true;
    });
  }

  @Override
  public CompletionStage<Void> destroy() {
    OpenCache<K, V> current = started;
    if (current == null) {
      return CompletableFuture.completedFuture(null);
    }
    return current
        .blocking()
        .runBlocking(
            () -> {
              close(current);
              Path directory = current.store().directory();
              if (directory != null) {
                Util.recursiveFileRemove(directory);
              }
            },
            "varve-destroy");
  }

  @Override
  public Set<Characteristic> characteristics() {
    return EnumSet.of(
        Characteristic.BULK_READ,
        Characteristic.EXPIRATION,
        Characteristic.SEGMENTABLE,
        Characteristic.TRANSACTIONAL);
  }

  /// Whether commits are taken: not after a write to the disk has failed, until the cache is
  /// started again, and not if the directory was removed.
  @Override
  public CompletionStage<Boolean> isAvailable() {
    OpenCache<K, V> current = started();
    Path directory = current.store().directory();
    return supply(
        () -> !failed && (directory == null || Files.isDirectory(directory)), "varve-available");
  }

  /// The number of entries of a cache that is stopped, those that have expired included.
  ///
  /// @param directory of its files, `<location>/<cache>/varve`
  /// @throws VarveException if they cannot be opened, as where they are in use
  public static long count(Path directory) {
    return count(directory, StoreOptions.defaults());
  }

  /// The same of a cache whose store is encrypted.
  public static long count(Path directory, KeySource key) {
    return count(directory, StoreOptions.defaults().encryption(key));
  }

  private static long count(Path directory, StoreOptions options) {
    try (CacheEntries entries = new CacheEntries(Store.open(directory, options))) {
      return entries.count(List.of(Range.all()));
    }
  }

  /// The identity of this opening of the store: another one after each start of the cache.
  public UUID session() {
    return started().session().current();
  }

  /// The identity of the opening before, or null if this is the first.
  public @Nullable UUID previousSession() {
    return started().session().previous();
  }

  /// Figures of the store of this cache since its start, cheap enough to poll.
  public Statistics statistics() {
    return started().entries().statistics();
  }

  @Override
  @SuppressWarnings("NullAway") // null is what Infinispan takes for no entry
  public CompletionStage<MarshallableEntry<K, V>> load(int segment, Object key) {
    return read(
        segment,
        key,
        (current, value) -> entry(current, key, value),
        (current, entryKey) -> entry(current, key, current.entries().get(entryKey)),
        "varve-load");
  }

  private static <K, V> @Nullable MarshallableEntry<K, V> entry(
      OpenCache<K, V> current, Object key, byte @Nullable [] value) {
    return value != null && current.isLive(value)
        ? EntryValue.read(value).entry(key, current.factory())
        : null;
  }

  @Override
  public CompletionStage<Boolean> containsKey(int segment, Object key) {
    return read(
        segment,
        key,
        OpenCache::isLive,
        (current, entryKey) -> current.entries().contains(entryKey, current.now()),
        "varve-contains");
  }

  @Override
  public CompletionStage<Void> write(
      int segment, MarshallableEntry<? extends K, ? extends V> entry) {
    return commitOne(current -> current.put(segment, entry), "varve-write");
  }

  /// Removes an entry. Whether there was one is not reported, since to know it may take a read from
  /// the disk that the removal does without.
  @Override
  public CompletionStage<Boolean> delete(int segment, Object key) {
    return commitOne(current -> new Change.Removal(current.key(segment, key)), "varve-delete")
        .thenApply(_ -> null);
  }

  @Override
  public CompletionStage<Void> batch(
      int publisherCount,
      Publisher<SegmentedPublisher<Object>> removePublisher,
      Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writePublisher) {
    return changes(publisherCount, removePublisher, writePublisher)
        .thenCompose(changes ->
            changes.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : commit(() -> started().entries().commit(changes), "varve-batch"));
  }

  /// All changes that two publishers have, in one list.
  private CompletionStage<List<Change>> changes(
      int publisherCount,
      Publisher<SegmentedPublisher<Object>> removePublisher,
      Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writePublisher) {
    OpenCache<K, V> current = started();
    Flowable<Change> removals =
        flattened(
            removePublisher,
            publisherCount,
            (segment, key) -> new Change.Removal(current.key(segment, key)));
    Flowable<Change> puts = flattened(writePublisher, publisherCount, current::put);
    // Both are subscribed to before either is waited for: neither publishes before.
    return Single.zip(
            removals.toList(),
            puts.toList(),
            (first, second) -> {
              List<Change> changes = new ArrayList<>(first);
              changes.addAll(second);
              return changes;
            })
        .toCompletionStage();
  }

  /// Makes a change of what a publisher emits for a segment, or null where it changes nothing.
  private interface ToChange<T> {
    @Nullable Change change(int segment, T said);
  }

  private static <T> Flowable<Change> flattened(
      Publisher<SegmentedPublisher<T>> publisher, int publisherCount, ToChange<T> toChange) {
    return Flowable.fromPublisher(publisher)
        .flatMap(
            segment ->
                Flowable.fromPublisher(segment)
                    .mapOptional(
                        said -> Optional.ofNullable(toChange.change(segment.getSegment(), said))),
            publisherCount);
  }

  @Override
  public CompletionStage<Void> prepareWithModifications(
      Transaction transaction,
      int publisherCount,
      Publisher<SegmentedPublisher<Object>> removePublisher,
      Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writePublisher) {
    return changes(publisherCount, removePublisher, writePublisher)
        .thenAccept(changes -> prepared.put(transaction, changes));
  }

  @Override
  public CompletionStage<Void> commit(Transaction transaction) {
    List<Change> changes = prepared.remove(transaction);
    return changes == null || changes.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : commit(() -> started().entries().commit(changes), "varve-commit");
  }

  @Override
  public CompletionStage<Void> rollback(Transaction transaction) {
    prepared.remove(transaction);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> clear() {
    return remove(List.of(Range.all()));
  }

  /// Does nothing: there is capacity for each segment.
  @Override
  public CompletionStage<Void> addSegments(IntSet segments) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> removeSegments(IntSet segments) {
    return remove(started().ranges(segments));
  }

  private CompletionStage<Void> remove(List<Range> ranges) {
    OpenCache<K, V> current = started();
    return supply(
            () -> {
              current.entries().remove(ranges);
              return true;
            },
            "varve-remove")
        .thenApply(_ -> null);
  }

  /// The number of entries that have not expired, without reading any but those that have.
  @Override
  public CompletionStage<Long> size(IntSet segments) {
    OpenCache<K, V> current = started();
    return supply(
        () -> current.entries().count(current.ranges(segments), current.now()), "varve-size");
  }

  /// The number of entries, those that have expired and were not purged yet included. The time it
  /// takes does not grow with it.
  @Override
  public CompletionStage<Long> approximateSize(IntSet segments) {
    OpenCache<K, V> current = started();
    return supply(
        () -> current.entries().count(current.ranges(segments)), "varve-approximate-size");
  }

  /// The entries of some segments that have not expired, as of this call, in no order. Parallel
  /// streams share it by segments. Reads from pages as it goes, a leaf at a time for each thread.
  ///
  /// - **Threads:** may wait for the disk, also while it is traversed.
  /// - **Lifetime:** until the store stops. Close it: it holds a snapshot.
  public Stream<StoredEntry<K, V>> stream(IntSet segments) {
    OpenCache<K, V> current = started();
    return current.entries().stream(
        EntryKey.rangeOfEach(segments),
        current.now(),
        cursor ->
            new StoredEntry<>(
                EntryKey.marshalled(cursor.key()),
                EntryValue.read(cursor.value()).value(),
                current.factory()));
  }

  @Override
  public Publisher<MarshallableEntry<K, V>> publishEntries(
      IntSet segments, Predicate<? super K> filter, boolean includeValues) {
    OpenCache<K, V> current = started();
    return publishers()
        .scan(
            segments,
            cursor -> {
              ByteBuffer key = EntryKey.marshalled(cursor.key());
              if (filter != null && !filter.test(current.unmarshalled(key))) {
                return null;
              }
              return includeValues
                  ? EntryValue.read(cursor.value()).marshalledEntry(key, current.factory())
                  : EntryValue.readHead(cursor).entryWithoutValue(key, current.factory());
            });
  }

  @Override
  public Publisher<K> publishKeys(IntSet segments, Predicate<? super K> filter) {
    OpenCache<K, V> current = started();
    return publishers()
        .scan(
            segments,
            cursor -> {
              K key = current.unmarshalled(EntryKey.marshalled(cursor.key()));
              return filter == null || filter.test(key) ? key : null;
            });
  }

  @Override
  public Publisher<MarshallableEntry<K, V>> purgeExpired() {
    return publishers().purge();
  }

  private EntryPublishers<K, V> publishers() {
    return new EntryPublishers<>(started(), this::persistenceException);
  }

  /// Runs what may wait for the disk on a thread that may.
  private <T> CompletionStage<T> supply(Supplier<T> work, String traceId) {
    return started().blocking().supplyBlocking(() -> withPersistenceExceptions(work), traceId);
  }

  /// Reads an entry on this thread if it is in memory, and otherwise on one that may wait.
  ///
  /// @param inMemory makes the answer of a value, null if there is none
  /// @param waiting reads the entry of a key and makes it
  private <T> CompletionStage<T> read(
      int segment,
      Object key,
      BiFunction<OpenCache<K, V>, byte @Nullable [], T> inMemory,
      BiFunction<OpenCache<K, V>, byte[], T> waiting,
      String traceId) {
    return staged(() -> {
      OpenCache<K, V> current = started();
      byte[] entryKey = current.key(segment, key);
      CompletableFuture<T> answer = new CompletableFuture<>();
      return current
              .entries()
              .tryGet(entryKey, value -> answer.complete(inMemory.apply(current, value)))
          ? answer
          : supply(() -> waiting.apply(current, entryKey), traceId);
    });
  }

  /// Makes a change on this thread if it waits for nothing, and otherwise on one that may wait.
  ///
  /// @param making the change, or null if there is none
  private CompletionStage<Void> commitOne(
      Function<OpenCache<K, V>, @Nullable Change> making, String traceId) {
    return staged(() -> {
      OpenCache<K, V> current = started();
      CacheEntries entries = current.entries();
      Change change = making.apply(current);
      if (change == null) {
        return CompletableFuture.completedFuture(null);
      }
      CompletionStage<Commit> applied = entries.tryCommit(change);
      return applied == null ? commit(() -> entries.commit(change), traceId) : whenDurable(applied);
    });
  }

  /// What goes wrong before there is a stage fails the stage: Infinispan looks nowhere else.
  private <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> work) {
    try {
      return withPersistenceExceptions(work);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Makes a commit on a thread that may wait for pages and locks, and gives the thread back: none
  /// waits until the commit is durable, so that any number of writes shares a force of the log.
  private CompletionStage<Void> commit(Supplier<CompletionStage<Commit>> commit, String traceId) {
    CompletionStage<Commit> applied =
        started()
            .blocking()
            .supplyBlocking(() -> withPersistenceExceptions(commit), traceId)
            .thenCompose(stage -> stage);
    return whenDurable(applied);
  }

  private CompletionStage<Void> whenDurable(CompletionStage<Commit> commit) {
    return commit.handle((_, e) -> {
      if (e != null) {
        throw persistenceException(e);
      }
      return null;
    });
  }

  private <T> T withPersistenceExceptions(Supplier<T> work) {
    try {
      return work.get();
    } catch (VarveException e) {
      throw persistenceException(e);
    }
  }

  /// The exception that Infinispan expects of a store, with the message of the cause, which states
  /// what to do.
  private PersistenceException persistenceException(Throwable e) {
    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    if (cause instanceof StoreFailedException) {
      failed = true;
    }
    return cause instanceof PersistenceException known
        ? known
        : new PersistenceException(cause.getMessage(), cause);
  }
}
