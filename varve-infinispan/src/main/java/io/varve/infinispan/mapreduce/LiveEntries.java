package io.varve.infinispan.mapreduce;

import io.reactivex.rxjava3.core.Flowable;
import io.varve.cache.CacheEntry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.context.Flag;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.jspecify.annotations.Nullable;

/// The entries of a cache whose store does not hold all of them, if it has one. Of each segment all
/// are noted, by reference where they are on the heap. They are shown once it is certain that the
/// segment was owned all the while (O1).
final class LiveEntries<K, V> implements OwnedEntries<K, V> {
  private final AdvancedCache<K, V> cache;
  private final AdvancedCache<K, V> local;
  private final IntSet segments;
  private final InternalDataContainer<?, ?> container;
  private final MarshallableEntryFactory<?, ?> factory;
  private final IntSet lost;

  LiveEntries(AdvancedCache<K, V> cache, IntSet segments) {
    this.cache = cache;
    this.local = cache.withFlags(Flag.CACHE_MODE_LOCAL);
    this.segments = segments;
    this.container = ComponentRegistry.componentOf(cache, InternalDataContainer.class);
    this.factory = ComponentRegistry.componentOf(cache, MarshallableEntryFactory.class);
    this.lost =
        IntSets.concurrentSet(cache.getCacheConfiguration().clustering().hash().numSegments());
  }

  @Override
  public Stream<CacheEntry<K, V>> stream() {
    return StreamSupport.stream(new Segments(segments.intStream().boxed().toList()), false);
  }

  @Override
  public IntSet lost() {
    return lost;
  }

  /// All entries of a segment, or nothing, and then it is lost.
  private List<org.infinispan.container.entries.CacheEntry<K, V>> entries(int segment) {
    DistributionManager distribution = cache.getDistributionManager();
    IntSet one = IntSets.immutableSet(segment);
    while (true) {
      LocalizedCacheTopology before = OwnedEntries.topology(distribution);
      if (OwnedEntries.owned(before, one).isEmpty()) {
        lost.set(segment);
        return List.of();
      }
      var entries =
          Flowable.fromPublisher(local.cacheEntrySet().localPublisher(segment))
              .toList()
              .blockingGet();
      if (OwnedEntries.isStill(before, distribution)) {
        return entries;
      }
    }
  }

  /// Goes through segments one after the other. It is cut between them.
  private final class Segments implements Spliterator<CacheEntry<K, V>> {
    private List<Integer> rest; // after the current segment
    private Deque<org.infinispan.container.entries.CacheEntry<K, V>> current = new ArrayDeque<>();

    Segments(List<Integer> all) {
      this.rest = all;
    }

    @Override
    public boolean tryAdvance(Consumer<? super CacheEntry<K, V>> action) {
      Objects.requireNonNull(action, "action");
      while (current.isEmpty() && !rest.isEmpty()) {
        current = new ArrayDeque<>(entries(rest.getFirst()));
        rest = rest.subList(1, rest.size());
      }
      var entry = current.poll();
      if (entry == null) {
        return false;
      }
      action.accept(new Live(entry));
      return true;
    }

    @Override
    public @Nullable Spliterator<CacheEntry<K, V>> trySplit() {
      int given = current.isEmpty() ? rest.size() / 2 : (rest.size() + 1) / 2;
      if (given == 0) {
        return null;
      }
      Spliterator<CacheEntry<K, V>> first = new Segments(rest.subList(0, given));
      rest = rest.subList(given, rest.size());
      return first;
    }

    /// Of what is on the heap.
    @Override
    public long estimateSize() {
      return (long) current.size() + container.size(IntSets.from(Set.copyOf(rest)));
    }

    @Override
    public int characteristics() {
      return DISTINCT | NONNULL | IMMUTABLE;
    }
  }

  /// An entry that Infinispan gave.
  private final class Live implements CacheEntry<K, V> {
    private final org.infinispan.container.entries.CacheEntry<K, V> entry;

    Live(org.infinispan.container.entries.CacheEntry<K, V> entry) {
      this.entry = entry;
    }

    @Override
    public K getKey() {
      return entry.getKey();
    }

    @Override
    public V getValue() {
      return entry.getValue();
    }

    @Override
    public MemorySegment valueBytes() {
      var marshalled =
          factory
              .create(
                  cache.getKeyDataConversion().toStorage(entry.getKey()),
                  cache.getValueDataConversion().toStorage(entry.getValue()))
              .getValueBytes();
      return MemorySegment.ofArray(marshalled.getBuf())
          .asSlice(marshalled.getOffset(), marshalled.getLength())
          .asReadOnly();
    }

    /// As the heap holds them: strings and byte arrays count by their length, others as 8.
    @Override
    public long bytes() {
      return bytes(entry.getKey()) + bytes(entry.getValue());
    }

    private static long bytes(Object object) {
      return switch (object) {
        case String text -> text.length();
        case byte[] bytes -> bytes.length;
        default -> 8;
      };
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      return type.cast(this);
    }
  }
}
