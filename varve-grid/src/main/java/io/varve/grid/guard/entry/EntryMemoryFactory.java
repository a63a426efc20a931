package io.varve.grid.guard.entry;

import org.infinispan.configuration.cache.MemoryConfiguration;
import org.infinispan.container.impl.DefaultDataContainer;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.eviction.EvictionStrategy;
import org.infinispan.factories.DataContainerFactory;
import org.infinispan.factories.KnownComponentNames;

/// Bounds the entries of the default cache in memory by [EntryMemory], and makes those of others as
/// Infinispan does.
public final class EntryMemoryFactory extends DataContainerFactory {
  private static final String BOUNDED = "default";

  @Override
  public Object construct(String componentName) {
    MemoryConfiguration memory = configuration.memory();
    if (!cacheName().equals(BOUNDED)
        || memory.maxCount() <= 0
        || memory.isOffHeap()
        || memory.whenFull() != EvictionStrategy.REMOVE) {
      return super.construct(componentName);
    }
    var size = new EntryMemory();
    InternalDataContainer<Object, Object> entries =
        configuration.clustering().cacheMode().needsStateTransfer()
            ? new SegmentedEntries(
                configuration.clustering().hash().numSegments(), memory.maxCount(), size)
            : DefaultDataContainer.boundedDataContainer(
                configuration.locking().concurrencyLevel(), memory.maxCount(), size);
    memory
        .attributes()
        .attribute(MemoryConfiguration.MAX_COUNT)
        .addListener((count, _) -> entries.resize(count.get())); // as Infinispan's own do
    return entries;
  }

  private String cacheName() {
    return basicComponentRegistry
        .getComponent(KnownComponentNames.CACHE_NAME, String.class)
        .wired();
  }
}
