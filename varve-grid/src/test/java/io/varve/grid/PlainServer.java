package io.varve.grid;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.infinispan.commons.ThreadGroups;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.server.DefaultExitHandler;
import org.infinispan.server.ExitStatus;
import org.infinispan.server.Server;

/// Infinispan's own server in this process, without what a node adds to it: what a node is compared
/// with. No node may start in the process, since the guards of a node are for all of it.
final class PlainServer implements AutoCloseable {
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  private final DefaultExitHandler exit = new DefaultExitHandler();
  private final int respPort;
  private final int memcachedPort;

  /// Starts one.
  ///
  /// @param data directory of its files
  PlainServer(Path data) throws IOException {
    respPort = Integer.parseInt(Serving.freePort());
    memcachedPort = Integer.parseInt(Serving.freePort());
    Path configuration = Files.writeString(data.resolve("plain.xml"), configuration());
    Properties properties = new Properties();
    properties.setProperty(Server.INFINISPAN_SERVER_HOME_PATH, data.toString());
    properties.setProperty(Server.INFINISPAN_LOG4J_SHUTDOWN, "false");
    var server = new Server(data.toFile(), List.of(configuration), properties);
    server.setExitHandler(exit);
    new Thread(ThreadGroups.BLOCKING_GROUP, server::run, "plain").start();
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> server.getStatus() == ComponentStatus.RUNNING);
  }

  private String configuration() {
    return """
    <infinispan xmlns="urn:infinispan:config:16.0">
      <cache-container name="default">
        <local-cache name="memcached"/>
      </cache-container>
      <server xmlns="urn:infinispan:server:16.0">
        <interfaces><interface name="public"><inet-address value="127.0.0.1"/></interface></interfaces>
        <socket-bindings default-interface="public" port-offset="0">
          <socket-binding name="default" port="%s"/>
          <socket-binding name="resp" port="%d"/>
          <socket-binding name="memcached" port="%d"/>
        </socket-bindings>
        <endpoints><endpoint socket-binding="default">
          <rest-connector/>
          <resp-connector name="resp" socket-binding="resp"/>
          <memcached-connector name="memcached" socket-binding="memcached" cache="memcached"/>
        </endpoint></endpoints>
      </server>
    </infinispan>
    """
        .formatted(Serving.freePort(), respPort, memcachedPort);
  }

  int respPort() {
    return respPort;
  }

  int memcachedPort() {
    return memcachedPort;
  }

  /// Ends it, as far as it ends within a bound: what a suite has begun may keep it from that for
  /// good.
  @Override
  public void close() {
    Thread end = Thread.ofPlatform().daemon().start(() -> exit.exit(ExitStatus.SERVER_SHUTDOWN));
    try {
      end.join(STOP_WITHIN);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
