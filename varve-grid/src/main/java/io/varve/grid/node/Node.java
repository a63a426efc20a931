package io.varve.grid.node;

import java.io.IOException;
import java.net.BindException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.server.DefaultExitHandler;
import org.infinispan.server.ExitStatus;
import org.infinispan.server.Server;
import org.jspecify.annotations.Nullable;

/// A node that runs: Infinispan's server, told by a [NodeConfiguration] where all is. Its endpoints
/// answer when [#start] returns.
public final class Node implements AutoCloseable {
  /// How long the start of a server goes on before its status is looked at again.
  private static final long LOOK_MILLIS = 5;

  private final NodeDirectory directory;
  private final Server server;
  private final DefaultExitHandler exit = new DefaultExitHandler();
  private final CompletableFuture<?> stopped;

  private Node(NodeDirectory directory, NodeConfiguration configuration) throws IOException {
    this.directory = directory;
    this.server = configured(directory, configuration);
    server.setExitHandler(exit);
    this.stopped = server.run();
  }

  /// Starts a node.
  ///
  /// @throws NodeException if it cannot start, with the reason and what to do
  public static Node start(NodeConfiguration configuration) {
    NodeDirectory directory = null;
    try {
      directory = NodeDirectory.open(configuration.directory());
      Node node = new Node(directory, configuration);
      node.awaitStart();
      return node;
    } catch (Exception e) {
      close(directory, e);
      throw reason(e, configuration);
    }
  }

  private static Server configured(NodeDirectory directory, NodeConfiguration configuration)
      throws IOException {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.putAll(configuration.properties());
    properties.setProperty(Server.INFINISPAN_SERVER_HOME_PATH, home().toString());
    properties.setProperty(
        Server.INFINISPAN_SERVER_CONFIG_PATH, directory.configuration().toString());
    properties.setProperty(Server.INFINISPAN_SERVER_DATA_PATH, directory.data().toString());
    // Log4j serves the process, which may have other nodes, and is ended with it.
    properties.setProperty(Server.INFINISPAN_LOG4J_SHUTDOWN, "false");
    return new Server(
        directory.root().toFile(), directory.place(configuration.layers()), properties);
  }

  /// Where the build has put the files of the console: `static` beside our classes or their jar.
  private static Path home() {
    try {
      Path classes =
          Path.of(Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Objects.requireNonNull(classes.getParent(), "classes at the root of a file system");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Waits until the server runs, which it tells by its status alone, or has failed, which it tells
  /// by its end.
  private void awaitStart() throws ExecutionException, InterruptedException {
    while (server.getStatus() != ComponentStatus.RUNNING) {
      try {
        exit.getExitFuture().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        throw new NodeException("the node was stopped before it had started");
      } catch (TimeoutException e) {
        // It is still starting.
      }
    }
  }

  private static void close(@Nullable NodeDirectory directory, Exception failure) {
    if (directory != null) {
      try {
        directory.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /// What the user is told of a start that failed.
  private static RuntimeException reason(Exception failure, NodeConfiguration configuration) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case NodeException e -> {
          return e;
        }
        case BindException e -> {
          return new NodeException(
              "cannot listen: "
                  + address(configuration)
                  + ", reason="
                  + e.getMessage()
                  + "; choose another by --port or --bind",
              failure);
        }
        case CacheConfigurationException e -> {
          return new NodeException("the configuration makes no sense: " + e.getMessage(), failure);
        }
        default -> {}
      }
    }
    return new NodeException("the node cannot start: " + failure.getMessage(), failure);
  }

  private static String address(NodeConfiguration configuration) {
    return "address="
        + configuration.properties().get("varve.bind-address")
        + ", port="
        + configuration.properties().get("varve.port");
  }

  /// The caches of the node.
  public EmbeddedCacheManager caches() {
    return server.getCacheManager();
  }

  /// Waits until the node has stopped, by [#close], by a client that may do that, or by a signal.
  public void awaitStop() {
    stopped.join();
  }

  /// Stops the endpoints, then the caches; each cache is closed cleanly, so that nothing is
  /// recovered at the next start. Without effect if that is done.
  @Override
  public void close() throws IOException {
    exit.exit(ExitStatus.SERVER_SHUTDOWN);
    stopped.join();
    directory.close();
  }
}
