package io.varve.grid.node;

import io.varve.VarveException;
import io.varve.grid.backup.BackupConfigurationBuilder;
import io.varve.grid.guard.Door;
import io.varve.grid.guard.Guards;
import io.varve.grid.guard.UserRealms;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.items.ItemStore;
import io.varve.grid.member.NodeSockets;
import io.varve.grid.metrics.NodeMeters;
import io.varve.grid.status.NodeStatus;
import io.varve.grid.status.Phase;
import io.varve.infinispan.StoreListenerConfigurationBuilder;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.ThreadGroups;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.server.DefaultExitHandler;
import org.infinispan.server.ExitStatus;
import org.infinispan.server.Server;
import org.infinispan.server.core.ProtocolServer;
import org.jspecify.annotations.Nullable;

/// A node that runs: Infinispan's server. A [NodeConfiguration] sets where all is. Its endpoints
/// answer when [#start] returns.
public final class Node implements AutoCloseable {
  /// How long the start of a server continues before its status is looked at again.
  private static final long LOOK_MILLIS = 5;

  /// So that progress is looked at ten times a second.
  private static final int PROGRESS_LOOKS = 20;

  /// The time that threads which serve clients have to take work, when a probe asks.
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  private static final System.Logger LOGGER = System.getLogger(Node.class.getName());

  private final NodeDirectory directory;
  private final Server server;
  private final ItemStore items;
  private final DefaultExitHandler exit = new DefaultExitHandler();
  private final Door door;
  private final NodeMeters meters;
  private final NodeStatus status;
  private final StartProgress progress;
  private final CompletableFuture<ExitStatus> stopped = new CompletableFuture<>();

  private Node(
      NodeDirectory directory, NodeConfiguration configuration, Map<String, String> properties)
      throws IOException {
    this.directory = directory;
    this.server = configured(directory, configuration, properties);
    this.door = new Door(configuration.limits());
    Guards.install(server, door);
    UserRealms.install(server, door, () -> LoginSecret.of(directory.configuration()));
    PortEncryption.install(server, configuration.properties());
    NodeSockets.install(
        server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder(),
        configuration.properties());
    StoreEncryption.install(
        server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder(),
        configuration.properties());
    this.items =
        NodeItems.install(
            server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder(),
            directory.root(),
            configuration.properties());
    this.meters = NodeMeters.install(server, directory.data(), items);
    BackupConfigurationBuilder.install(
        server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder(),
        directory.root(),
        items);
    this.status = configuration.status();
    this.progress = new StartProgress(status);
    var controls = new StoreControls();
    items.follow(controls);
    server
        .getConfigurationBuilderHolder()
        .getGlobalConfigurationBuilder()
        .addModule(StoreListenerConfigurationBuilder.class)
        .add(progress)
        .add(controls);
    server.setExitHandler(exit);
    // On a thread of this kind Infinispan carries out immediately what may block. So it starts its
    // caches before it opens its ports, instead of at the same time.
    new Thread(ThreadGroups.BLOCKING_GROUP, this::run, "varve-start").start();
  }

  /// Runs the server until its ports are open, or it has failed.
  private void run() {
    try {
      CompletableFuture<?> end = server.run().whenComplete(this::stopped);
      if (!end.isDone()
          && server.cacheManagerStart().toCompletableFuture().isDone()
          && server.getStatus() == ComponentStatus.INSTANTIATED) {
        exit.getExitFuture().completeExceptionally(new EndpointException());
      }
    } catch (Throwable e) {
      exit.getExitFuture().completeExceptionally(e);
      items.close();
      stopped.completeExceptionally(e);
    }
  }

  private void stopped(ExitStatus status, @Nullable Throwable failure) {
    try {
      items.close();
    } catch (RuntimeException e) {
      stopped.completeExceptionally(e);
    }
    if (failure == null) {
      stopped.complete(status);
    } else {
      stopped.completeExceptionally(failure);
    }
  }

  /// Starts a node.
  ///
  /// @throws NodeException if it cannot start, with the reason and what to do
  public static Node start(NodeConfiguration configuration) {
    return start(configuration, StartWatch.NONE);
  }

  /// Starts a node whose start is followed.
  ///
  /// @throws NodeException if it cannot start, with the reason and what to do; all of it has ended
  ///   then, and its directory is free
  public static Node start(NodeConfiguration configuration, StartWatch watch) {
    NodeDirectory directory = null;
    Node node = null;
    try {
      directory = NodeDirectory.open(configuration.directory());
      node = new Node(directory, configuration, watch.opened(directory.data()));
      node.awaitStart(watch);
      watch.started(node);
      node.openItems();
      node.awaitIndexes();
      node.open();
      return node;
    } catch (Exception e) {
      if (node == null || node.stopWithin(StopBound.MAX)) {
        close(directory, e);
      }
      throw reason(node == null ? e : node.firstFailure(e));
    }
  }

  /// Stops what has started so far. An interrupt is kept for later.
  ///
  /// @return whether it has stopped: a start that is stuck may hold up its own end, and a thread
  ///   that is stuck that of the connections it serves
  private boolean stopWithin(Duration max) {
    // The server stops on the thread that requests it. Without effect if a failure has ended it.
    Thread.ofPlatform()
        .daemon()
        .name("varve-stop")
        .start(() -> exit.exit(ExitStatus.SERVER_SHUTDOWN));
    return Waits.awaitEnd(stopped, max);
  }

  private static Server configured(
      NodeDirectory directory, NodeConfiguration configuration, Map<String, String> ofThisStart)
      throws IOException {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.putAll(configuration.properties());
    properties.putAll(ofThisStart);
    properties.setProperty(Server.INFINISPAN_SERVER_HOME_PATH, home().toString());
    properties.setProperty(
        Server.INFINISPAN_SERVER_CONFIG_PATH, directory.configuration().toString());
    properties.setProperty(Server.INFINISPAN_SERVER_DATA_PATH, directory.data().toString());
    // Log4j serves the process, which may have other nodes, and is ended with it.
    properties.setProperty(Server.INFINISPAN_LOG4J_SHUTDOWN, "false");
    return new Server(
        directory.root().toFile(), directory.place(configuration.layers()), properties);
  }

  /// Where the build has put the files of the console: `static` next to our classes or their jar.
  private static Path home() {
    try {
      Path classes =
          Path.of(Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Objects.requireNonNull(classes.getParent(), "classes at the root of a file system");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Waits until the server runs, which its status alone shows, or has failed, which its end shows.
  private void awaitStart(StartWatch watch) throws ExecutionException, InterruptedException {
    for (int look = 0; server.getStatus() != ComponentStatus.RUNNING; look++) {
      EmbeddedCacheManager caches = server.getCacheManager();
      if (caches != null) {
        watch.starting(caches);
        if (look % PROGRESS_LOOKS == 0) {
          progress.look(caches);
        }
      }
      requireProgress();
      requireNoEnd();
    }
  }

  /// Opens the store of the items, if there is one. A node of a cluster serves no items.
  private void openItems() {
    boolean isClustered =
        AsItself.call(() -> caches().getCacheManagerConfiguration()).isClustered();
    if (!isClustered) {
      if (items.isPresent()) {
        status.enter(Phase.RECOVERING, Map.of("stores", List.of(ItemStore.DIRECTORY)));
      }
      items.open();
    } else if (items.isPresent()) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "the items of this node are not served, nor part of a backup, while it is part of a"
              + " cluster: directory="
              + directory.root().resolve(ItemStore.DIRECTORY));
    }
  }

  /// Waits until the indexes of all caches that run are whole.
  private void awaitIndexes() throws ExecutionException, InterruptedException {
    IndexedCaches indexes = new IndexedCaches(caches());
    CompletableFuture<Void> repair = indexes.repair();
    while (!repair.isDone()) {
      status.enter(Phase.INDEXING, indexes.figures());
      requireProgress();
      requireNoEnd();
    }
    repair.join();
  }

  /// Lets the start continue for a short time, if neither a failure nor a stop ends it.
  private void requireNoEnd() throws ExecutionException, InterruptedException {
    try {
      exit.getExitFuture().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      throw new NodeException("the node was stopped before it had started");
    } catch (TimeoutException e) {
      // It is still starting.
    }
  }

  /// Ends a start that is stuck, so that whatever watches the process may start another one.
  private void requireProgress() {
    NodeStatus.Snapshot now = status.snapshot();
    if (now.isStuck()) {
      LOGGER.log(System.Logger.Level.WARNING, "threads of the start:\n" + ThreadDump.text());
      throw new NodeException(
          "the start is stuck: "
              + now
              + ", seconds without progress="
              + now.sinceProgress().toSeconds()
              + "; the log has the threads. What was stored is as it was: start the node again");
    }
  }

  /// Lets clients in, when all caches run.
  @SuppressWarnings("FutureReturnValueIgnored") // the exit continues, whatever is shown of it
  private void open() {
    List<ProtocolServer<?>> endpoints = new ArrayList<>();
    server.getProtocolServers().values().forEach(endpoints::add);
    meters.addLogins(caches(), door.failedLogins());
    door.open(endpoints);
    status.ready(() -> door.takesRequests() && EventLoopCheck.answer(caches(), ANSWER_MAX));
    exit.getExitFuture().whenComplete((_, _) -> status.enter(Phase.STOPPING, Map.of()));
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

  /// What the caches failed by, if they have: the endpoints, which come after them, fail by that.
  private Exception firstFailure(Exception failure) {
    try {
      server.cacheManagerStart().toCompletableFuture().getNow(null);
      return failure;
    } catch (CompletionException e) {
      return e;
    }
  }

  /// What is reported to the user of a start that failed: what we report of it, as of a store that
  /// is damaged, before what Infinispan makes of that.
  private static NodeException reason(Exception failure) {
    NodeException known = causeOf(failure, NodeException.class);
    if (known != null) {
      return known;
    }
    VarveException store = causeOf(failure, VarveException.class);
    if (store != null) {
      return new NodeException(String.valueOf(store.getMessage()), failure);
    }
    var configuration = causeOf(failure, CacheConfigurationException.class);
    return configuration == null
        ? new NodeException("the node cannot start: " + failure.getMessage(), failure)
        : new NodeException(
            "the configuration makes no sense: " + configuration.getMessage(), failure);
  }

  private static <T extends Throwable> @Nullable T causeOf(Throwable failure, Class<T> type) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }

  /// How far the node is.
  public NodeStatus status() {
    return status;
  }

  /// The caches of the node.
  public EmbeddedCacheManager caches() {
    return server.getCacheManager();
  }

  /// The port that all protocols share, which is one that was free if the configuration has 0.
  public int port() {
    return port("endpoint-default");
  }

  /// The port of RESP alone, if there is one.
  ///
  /// @throws NullPointerException if there is none
  public int respPort() {
    return port("Resp-resp");
  }

  /// The port of memcached alone, if there is one.
  ///
  /// @throws NullPointerException if there is none
  public int memcachedPort() {
    return port("Memcached-memcached");
  }

  private int port(String endpoint) {
    return Objects.requireNonNull(server.getProtocolServers().get(endpoint), endpoint)
        .getTransport()
        .getPort();
  }

  /// Waits until the node has stopped, by [#close], by a client that may do that, or by a signal.
  ///
  /// @return false if it has not stopped within [StopBound#MAX] after that was requested
  public boolean awaitStop() {
    return awaitStop(StopBound.MAX);
  }

  /// The same within another bound.
  public boolean awaitStop(Duration max) {
    exit.getExitFuture().handle((_, _) -> true).join();
    return Waits.awaitEnd(stopped, max);
  }

  /// Whether the node has stopped.
  public boolean isStopped() {
    return stopped.isDone();
  }

  /// Stops the endpoints, then the caches; each cache is closed cleanly, so that nothing is
  /// recovered at the next start. Without effect if that is done.
  ///
  /// @throws NodeException if it has not stopped within [StopBound#MAX]. What was answered is on
  ///   disk, but no other node can have the directory while this process runs.
  @Override
  public void close() throws IOException {
    closeWithin(StopBound.MAX);
  }

  /// The same within another bound.
  public void closeWithin(Duration max) throws IOException {
    status.enter(Phase.STOPPING, Map.of());
    if (!stopWithin(max)) {
      LOGGER.log(System.Logger.Level.WARNING, "threads of the stop:\n" + ThreadDump.text());
      throw new NodeException(
          "the node does not stop: millis="
              + max.toMillis()
              + "; the log has the threads. End the process: the next start recovers what was"
              + " answered");
    }
    stopped.join(); // which reports how it failed, if it has
    directory.close();
  }

  /// Follows the start of a node. What it does not override asks for nothing.
  public interface StartWatch {
    /// The node holds its directory, and the server has not begun.
    ///
    /// @param data where the server keeps its state and its caches
    /// @return properties of the configuration that this start has instead of, or in addition to,
    ///   those given
    default Map<String, String> opened(Path data) throws IOException {
      return Map.of();
    }

    /// The server starts. Comes every few milliseconds until it runs or has failed.
    default void starting(EmbeddedCacheManager caches) {}

    /// The server runs, and no client is let in before this returns.
    ///
    /// @throws NodeException if the node cannot continue
    default void started(Node node) throws InterruptedException {}

    /// Asks for nothing.
    StartWatch NONE = new StartWatch() {};
  }
}
