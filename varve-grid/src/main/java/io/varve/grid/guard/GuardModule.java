package io.varve.grid.guard;

import io.netty.channel.EventLoopGroup;
import io.varve.grid.guard.entry.DefinedNames;
import io.varve.grid.guard.entry.EntryMemoryFactory;
import io.varve.grid.guard.entry.EventKeys;
import io.varve.grid.guard.entry.FullStores;
import io.varve.grid.guard.entry.KeptLifespans;
import io.varve.grid.guard.entry.LargeCollections;
import io.varve.grid.guard.entry.SegmentedEntries;
import io.varve.infinispan.ExpiryGuard;
import io.varve.infinispan.VarveModule;
import java.util.List;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.container.impl.BoundedSegmentedDataContainer;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.DataContainerFactory;
import org.infinispan.factories.EncoderRegistryFactory;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.marshall.core.EncoderRegistry;
import org.infinispan.server.core.factories.NettyEventLoopFactory;

/// Puts [EventLoops] where Infinispan has its own, and has caches keep the times to live that
/// [KeptLifespans] names. It has [FullStores] look at their writes, [DefinedNames] at the names of
/// new ones, [LargeCollections] at what is in them. It has [EventKeys] convert the keys of events,
/// and `EntryMemory` count what is in memory.
public final class GuardModule extends VarveModule {
  /// For the service loader.
  public GuardModule() {
    super("varve-guard", "server-core");
  }

  @Override
  protected void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
    if (!configuration.simpleCache()) { // Those have no interceptors.
      ExpiryGuard.add(cache, new KeptLifespans());
      FullStores.add(cache, configuration, name);
      DefinedNames.add(cache, name);
      LargeCollections.add(cache, configuration);
    }
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    registerFactory(
        builder,
        GLOBAL,
        EventLoopsFactory::new,
        NettyEventLoopFactory.class,
        EventLoopGroup.class.getName());
    registerFactory(
        builder,
        GLOBAL,
        EventKeys.Factory::new,
        EncoderRegistryFactory.class,
        EncoderRegistry.class.getName());
    registerFactory(
        builder,
        NAMED_CACHE,
        EntryMemoryFactory::new,
        DataContainerFactory.class,
        InternalDataContainer.class.getName());
    registerComponent(
        builder, NAMED_CACHE, SegmentedEntries.class, BoundedSegmentedDataContainer.class);
    builder.registerComponentAccessor(
        EventLoops.class.getName(),
        List.of(),
        new ComponentAccessor<EventLoops>(
            EventLoops.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            /* superAccessorName= */ null,
            List.of()) {
          @Override
          protected void stop(EventLoops loops) {
            loops.stop();
          }
        });
  }
}
