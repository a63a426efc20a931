package io.varve.grid.guard;

import io.varve.grid.guard.entry.AdminTasks;
import io.varve.grid.guard.resp.RespCommands;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.server.Server;
import org.infinispan.server.configuration.ServerConfigurationBuilder;

/// Puts the guards of a node where its server finds them.
public final class Guards {
  private Guards() {}

  /// Guards a server that has not started.
  public static void install(Server server, Door door) {
    RespCommands.withhold(door.limits().valueBytesMax());
    GlobalConfigurationBuilder global =
        server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder();
    global.addModule(DoorConfigurationBuilder.class).door(door);
    var tasks = new AdminTasks();
    global
        .module(ServerConfigurationBuilder.class)
        .endpoints()
        .endpoints()
        .values()
        .forEach(endpoint ->
            endpoint.connectors().forEach(connector -> connector.adminOperationsHandler(tasks)));
  }
}
