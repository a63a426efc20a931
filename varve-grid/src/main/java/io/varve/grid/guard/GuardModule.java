package io.varve.grid.guard;

import io.netty.channel.EventLoopGroup;
import io.varve.infinispan.ExpiryGuard;
import java.util.Collection;
import java.util.List;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.EncoderRegistryFactory;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.lifecycle.ModuleLifecycle;
import org.infinispan.marshall.core.EncoderRegistry;
import org.infinispan.server.core.factories.NettyEventLoopFactory;

/// Puts [EventLoops] where Infinispan has its own, and has caches keep the times to live that
/// [KeptLifespans] names. It has [FullStores] look at their writes, [DefinedNames] at the names of
/// new ones, and [EventKeys] convert the keys of events. Infinispan finds this as a service; what
/// others have made by its annotation processor is written here.
public final class GuardModule implements ModuleMetadataBuilder {
  private static final int GLOBAL = 0; // as the processor writes it

  /// For the service loader.
  public GuardModule() {}

  @Override
  public String getModuleName() {
    return "varve-guard";
  }

  @Override
  public Collection<String> getRequiredDependencies() {
    return List.of("server-core"); // What comes later is what counts.
  }

  @Override
  public Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new ModuleLifecycle() {
      @Override
      public void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
        if (!configuration.simpleCache()) { // Those have no interceptors.
          ExpiryGuard.add(cache, new KeptLifespans());
          FullStores.add(cache, configuration, name);
          DefinedNames.add(cache, name);
        }
      }
    };
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    builder.registerComponentAccessor(
        EventLoopsFactory.class.getName(),
        List.of(EventLoopGroup.class.getName()),
        new ComponentAccessor<EventLoopsFactory>(
            EventLoopsFactory.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            NettyEventLoopFactory.class.getName(),
            List.of()) {
          @Override
          protected EventLoopsFactory newInstance() {
            return new EventLoopsFactory();
          }
        });
    builder.registerComponentAccessor(
        EventKeys.Factory.class.getName(),
        List.of(EncoderRegistry.class.getName()),
        new ComponentAccessor<EventKeys.Factory>(
            EventKeys.Factory.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            EncoderRegistryFactory.class.getName(),
            List.of()) {
          @Override
          protected EventKeys.Factory newInstance() {
            return new EventKeys.Factory();
          }
        });
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
