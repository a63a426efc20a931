package io.varve.infinispan.query;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.context.Flag;
import org.infinispan.context.InvocationContext;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.encoding.DataConversion;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.query.backend.QueryInterceptor;
import org.infinispan.query.mapper.mapping.SearchMapping;
import org.jspecify.annotations.Nullable;

/// Rebuilds the index of one node from the entries that it has, while they may change.
///
/// Infinispan's own `Indexer` reads an entry and indexes it, and a write between the two is
/// overwritten in the index by the value before it. Here:
///
/// - REBUILD-1 A key that is written while all entries are read is recorded after the write is
///   committed and before the write is indexed. It is read again, and indexed or removed from the
///   index.
/// - REBUILD-2 While recorded keys are read, none is recorded: a write that is committed then is
///   indexed when the batch has ended that the rebuild was at, so later than any value before it.
///   So what is left gets less with each batch, and the rebuild ends however fast others write.
///
/// Runs on one thread that may block.
final class IndexRebuild {
  /// Entries that are indexed at one time.
  private static final int BATCH_ENTRIES = 128;

  private final AdvancedCache<Object, Object> entries;
  private final DataConversion keys;
  private final DataConversion values;
  private final boolean isJava;
  private final SearchMapping mapping;
  private final KeyPartitioner partitioner;
  private final AsyncInterceptorChain chain;
  private final LongConsumer indexed;
  private final Changes changes = new Changes();
  private final List<CompletableFuture<?>> batch = new ArrayList<>();

  private IndexRebuild(
      AdvancedCache<Object, Object> cache, ComponentRegistry components, LongConsumer indexed) {
    this.indexed = indexed;
    this.entries = cache.withStorageMediaType().withFlags(Flag.CACHE_MODE_LOCAL);
    this.keys = cache.getKeyDataConversion();
    this.values = cache.getValueDataConversion();
    this.isJava = cache.getCacheConfiguration().indexing().useJavaEmbeddedEntities();
    this.mapping = components.getComponent(SearchMapping.class);
    this.partitioner = components.getComponent(KeyPartitioner.class);
    this.chain = components.getComponent(AsyncInterceptorChain.class);
  }

  /// @param indexed notified of the entries since its last call, on the thread of the rebuild
  @SuppressWarnings("unchecked") // entries of any cache, as it stores them
  static IndexRebuild of(ComponentRegistry components, LongConsumer indexed) {
    // That of the registry asks for no permissions: a caller that starts the cache may have it
    // indexed.
    Cache<Object, Object> cache = components.getComponent(Cache.class);
    return new IndexRebuild(cache.getAdvancedCache(), components, indexed);
  }

  /// Rebuilds the index. To be called once at a time for a cache.
  void run() {
    chain.addInterceptorAfter(changes, QueryInterceptor.class);
    try {
      Set<Object> changed;
      do {
        indexAll();
        changed = changes.takeLast();
      } while (changed == null); // All was removed while it was read.
      for (Object key : changed) {
        index(key, entries.get(key));
      }
      awaitBatch();
    } finally {
      changes.end();
      chain.removeInterceptor(Changes.class);
    }
    mapping.scopeAll().workspace().flush();
    mapping.scopeAll().workspace().refresh();
  }

  private void indexAll() {
    mapping.scopeAll().workspace().purge();
    try (Stream<CacheEntry<Object, Object>> stream = entries.cacheEntrySet().stream()) {
      Iterator<CacheEntry<Object, Object>> each = stream.iterator();
      while (each.hasNext()) {
        CacheEntry<Object, Object> entry = each.next();
        index(entry.getKey(), entry.getValue());
      }
    }
    awaitBatch();
  }

  /// Makes the index contain the value of a key.
  ///
  /// @param value as it is stored, or null if there is no entry
  private void index(Object key, @Nullable Object value) {
    Object id = keys.extractIndexable(key, isJava);
    String segment = Integer.toString(partitioner.getSegment(key));
    Object entity = value == null ? null : values.extractIndexable(value, isJava);
    batch.add(
        entity != null && mapping.typeIsIndexed(entity)
            ? mapping.getSearchIndexer().addOrUpdate(id, segment, entity)
            : mapping.getSearchIndexer().purge(id, segment));
    if (batch.size() == BATCH_ENTRIES) {
      awaitBatch();
    }
  }

  private void awaitBatch() {
    CompletableFuture.allOf(batch.toArray(CompletableFuture<?>[]::new)).join();
    changes.batchEnded();
    indexed.accept(batch.size());
    batch.clear();
  }

  /// Records the keys that commands write. It does so when they come back from the commit to memory
  /// and the store, before the interceptor that indexes them (REBUILD-1); or has them wait there
  /// for the end of a batch (REBUILD-2).
  private static final class Changes extends BaseAsyncInterceptor {
    private enum Phase {
      RECORDING,
      WAITING,
      ENDED
    }

    private Phase phase = Phase.RECORDING; // guarded by this

    /// Replaced when they are taken. Guarded by this.
    private Set<Object> keys = new HashSet<>();

    private boolean cleared; // guarded by this

    /// Completes with the batch that is indexed. Guarded by this.
    private CompletableFuture<Void> batch = new CompletableFuture<>();

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      return invokeNextAndHandle(
          context,
          command,
          (written, done, value, failure) -> {
            CompletableFuture<Void> wait = written(written, done instanceof ClearCommand);
            return delayedValue(wait, value, failure);
          });
    }

    /// @return when the command may be indexed
    private synchronized CompletableFuture<Void> written(
        InvocationContext written, boolean isClear) {
      Set<Object> changed = new HashSet<>();
      written.forEachEntry((key, entry) -> {
        if (entry.isChanged()) {
          changed.add(key);
        }
      });
      switch (phase) {
        case RECORDING -> {
          cleared |= isClear;
          keys.addAll(changed);
        }
        case WAITING -> {
          if (isClear || !changed.isEmpty()) {
            return batch;
          }
        }
        case ENDED -> {}
      }
      return CompletableFutures.completedNull();
    }

    /// Takes the keys that were recorded, and records no more.
    ///
    /// @return null if all was removed since the last call: then it continues, and has recorded
    ///   nothing
    synchronized @Nullable Set<Object> takeLast() {
      Set<Object> taken = keys;
      keys = new HashSet<>();
      if (cleared) {
        cleared = false;
        return null;
      }
      phase = Phase.WAITING;
      return taken;
    }

    /// Lets commands continue that wait for what was read before they were committed.
    void batchEnded() {
      CompletableFuture<Void> ended;
      synchronized (this) {
        ended = batch;
        batch = new CompletableFuture<>();
      }
      ended.complete(null); // Continues with them here, so not under the lock.
    }

    void end() {
      synchronized (this) {
        phase = Phase.ENDED;
      }
      batchEnded();
    }
  }
}
