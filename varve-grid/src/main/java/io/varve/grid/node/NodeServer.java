package io.varve.grid.node;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.security.AuthorizationPermission;
import org.infinispan.security.Security;
import org.infinispan.security.actions.SecurityActions;
import org.infinispan.server.Server;
import org.infinispan.util.function.SerializableFunction;

/// Infinispan's server, which shuts a whole cluster down whoever coordinates it.
final class NodeServer extends Server {
  NodeServer(File root, List<Path> configuration, Properties properties) {
    super(root, configuration, properties);
  }

  /// Shuts the cluster down: no node takes writes any more, each writes who has which entries, and
  /// all stop. They go on from there when all are started again.
  @Override
  public void clusterStop() {
    EmbeddedCacheManager manager = getCacheManager();
    SecurityActions.checkPermission(
        manager.withSubject(Security.getSubject()), AuthorizationPermission.LIFECYCLE);
    Address coordinator = manager.getCoordinator();
    if (coordinator != null) { // or else the node is alone
      tell(manager, coordinator);
    }
    super.clusterStop();
  }

  private static void tell(EmbeddedCacheManager manager, Address coordinator) {
    CompletableFuture<Void> told =
        Security.doPrivileged(() ->
            manager
                .executor()
                .filterTargets(List.of(coordinator))
                .submitConsumer(
                    (SerializableFunction<EmbeddedCacheManager, Boolean>) NodeServer::prepare,
                    (node, _, failure) -> {
                      if (failure != null) {
                        throw new IllegalStateException(
                            "the cluster was not shut down: coordinator="
                                + node
                                + "; ask again when its members are settled",
                            failure);
                      }
                    }));
    told.join();
  }

  /// What the coordinator is told. Infinispan sends it as a function.
  private static boolean prepare(EmbeddedCacheManager manager) {
    CoordinatedCaches.of(manager).markRunning();
    return true;
  }
}
