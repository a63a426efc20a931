package io.varve.infinispan;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.infinispan.commands.FlagAffectedCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.commons.time.TimeService;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.container.entries.MVCCEntry;
import org.infinispan.container.impl.EntryFactory;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.container.impl.InternalEntryFactory;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.persistence.internal.PersistenceUtil;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.jspecify.annotations.Nullable;

/// Loads entries of one cache from its stores, as [LoadGuard] promises (LOAD-1, LOAD-2).
///
/// **Threads:** safe for any number of them.
final class GuardedLoads<K, V> {
  /// One call that misses a key in memory.
  ///
  /// @param command null for a check of a transaction
  /// @param topology that by which the node owns the key
  record Call(
      InvocationContext context,
      Object key,
      int segment,
      @Nullable FlagAffectedCommand command,
      int topology) {
    private boolean isWrite() {
      return command instanceof WriteCommand;
    }
  }

  /// The interceptor of Infinispan that has a cache's stores.
  interface Source<K, V> {
    /// Asks the stores for an entry, which is null if they have none.
    ///
    /// @param includesPrivate whether to ask stores that other nodes do not share
    CompletionStage<MarshallableEntry<K, V>> stored(Call call, boolean includesPrivate);

    /// The number of the topology that there is now.
    int topology();

    /// Counts a load for the statistics.
    void count(boolean found);

    /// Whether somebody listens to loads.
    boolean hasListeners();

    /// Has those that listen hear of a load.
    CompletionStage<Void> announce(Call call, V value, boolean before);
  }

  private record Load<K, V>(
      long state, CompletableFuture<@Nullable InternalCacheEntry<K, V>> entry) {}

  private final StripedWrites writes;
  private final Source<K, V> source;
  private final InternalDataContainer<K, V> memory;
  private final InternalEntryFactory entries;
  private final EntryFactory contextEntries;
  private final TimeService clock;
  private final Executor executor;
  private final ConcurrentMap<Object, Load<K, V>> shared = new ConcurrentHashMap<>();

  @SuppressWarnings("unchecked") // The memory is that of the same cache.
  GuardedLoads(StripedWrites writes, BasicComponentRegistry components, Source<K, V> source) {
    this.writes = writes;
    this.source = source;
    memory = components.getComponent(InternalDataContainer.class).wired();
    entries = components.getComponent(InternalEntryFactory.class).wired();
    contextEntries = components.getComponent(EntryFactory.class).wired();
    clock = components.getComponent(TimeService.class).wired();
    executor =
        components.getComponent(KnownComponentNames.NON_BLOCKING_EXECUTOR, Executor.class).wired();
  }

  /// Loads the entry of a call, for its context.
  CompletionStage<?> inContext(Call call) {
    return sharedOrOwn(call).thenAccept(entry -> use(call, entry));
  }

  private void use(Call call, @Nullable InternalCacheEntry<K, V> entry) {
    if (entry != null) {
      contextEntries.wrapExternalEntry(
          call.context, call.key, entry, /* isRead= */ true, call.isWrite());
    }
    if (call.context.lookupEntry(call.key) instanceof MVCCEntry<?, ?> used) {
      used.setLoaded(true);
    }
  }

  private CompletionStage<@Nullable InternalCacheEntry<K, V>> sharedOrOwn(Call call) {
    long state = writes.state(call.key);
    if (call.isWrite() || StripedWrites.underWay(state) != 0) {
      return load(call, state);
    }
    Load<K, V> own = new Load<>(state, new CompletableFuture<>());
    Load<K, V> other = shared.putIfAbsent(call.key, own);
    if (other != null && other.state == state) { // LOAD-2
      return other.entry.thenApplyAsync(Function.identity(), executor);
    }
    if (other != null && !shared.replace(call.key, other, own)) {
      return load(call, state);
    }
    CompletionStage<@Nullable InternalCacheEntry<K, V>> loading;
    try {
      loading = load(call, state);
    } catch (RuntimeException | Error e) {
      loading = CompletableFuture.failedFuture(e);
    }
    return loading.whenComplete((entry, failure) -> {
      shared.remove(call.key, own);
      if (failure == null) {
        own.entry.complete(entry);
      } else {
        own.entry.completeExceptionally(failure);
      }
    });
  }

  /// Loads the entry of a call.
  CompletionStage<@Nullable InternalCacheEntry<K, V>> load(Call call) {
    return load(call, writes.state(call.key));
  }

  private CompletionStage<@Nullable InternalCacheEntry<K, V>> load(Call call, long state) {
    InternalCacheEntry<K, V> present = memory.peek(call.segment, call.key);
    if (present != null && isLive(present)) {
      return CompletableFuture.completedFuture(present);
    }
    CompletionStage<@Nullable InternalCacheEntry<K, V>> loading =
        source
            .stored(call, /* includesPrivate= */ present == null)
            .thenApply(stored -> {
              source.count(stored != null);
              return stored == null ? null : take(call, state, stored);
            });
    return source.hasListeners() ? loading.thenCompose(entry -> announced(call, entry)) : loading;
  }

  private CompletionStage<@Nullable InternalCacheEntry<K, V>> announced(
      Call call, @Nullable InternalCacheEntry<K, V> entry) {
    if (entry == null) {
      return CompletableFuture.completedFuture(null);
    }
    V value = entry.getValue();
    return source
        .announce(call, value, /* before= */ true)
        .thenCompose(_ -> source.announce(call, value, /* before= */ false))
        .thenApply(_ -> entry);
  }

  /// Puts what was loaded into memory, unless a write may have replaced it (LOAD-1).
  @SuppressWarnings("unchecked") // The key is one of the cache.
  private InternalCacheEntry<K, V> take(Call call, long state, MarshallableEntry<K, V> stored) {
    InternalCacheEntry<K, V> loaded = PersistenceUtil.convert(stored, entries);
    int ownWrites = call.isWrite() ? 1 : 0;
    memory.compute(
        call.segment,
        (K) call.key,
        (_, present, _) -> {
          if (present != null && isLive(present)) {
            return present;
          }
          // A write that begins after this look replaces what is put into memory by it. So does
          // the loss of a segment, which comes after its topology.
          if (StripedWrites.underWay(state) != ownWrites
              || writes.state(call.key) != state
              || source.topology() != call.topology) {
            return present;
          }
          if (loaded.canExpire()) {
            loaded.touch(clock.wallClockTime());
          }
          return loaded;
        });
    return loaded;
  }

  private boolean isLive(InternalCacheEntry<K, V> entry) {
    return !entry.canExpire() || !entry.isExpired(clock.wallClockTime());
  }
}
