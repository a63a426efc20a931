package io.varve.grid.guard;

import java.util.Objects;
import org.infinispan.server.core.factories.NettyEventLoopFactory;
import org.infinispan.server.core.transport.NonRecursiveEventLoopGroup;

/// Makes the event loops of a node with its [Door], and those of others as Infinispan does.
final class EventLoopsFactory extends NettyEventLoopFactory {
  @Override
  public Object construct(String componentName) {
    Object loops = Objects.requireNonNull(super.construct(componentName), componentName);
    DoorConfiguration configured = globalConfiguration.module(DoorConfiguration.class);
    return configured == null
        ? loops
        : new EventLoops((NonRecursiveEventLoopGroup) loops, configured.door());
  }
}
