package io.varve.grid.guard;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.server.core.ProtocolServer;
import org.jspecify.annotations.Nullable;

/// The way into a node, for all of its ports.
///
/// - DOOR-1 While it is closed, no byte of a connection is read ([EventLoops] keeps it waiting). So
///   no request can start a cache, and wait on an event loop for what needs that event loop.
/// - DOOR-2 The counts of connections and of bytes that are held never exceed [Limits]: each is
///   raised before, and lowered once, when the connection ends or was answered.
public final class Door {
  private final Limits limits;
  private final RareLog log = new RareLog();
  private final RequestThreads requestThreads = new RequestThreads("varve-http");
  private final RequestThreads commandThreads = new RequestThreads("varve-resp");

  /// Bytes that connections hold beyond what each has free.
  private final AtomicLong heldBytes = new AtomicLong();

  /// Guarded by itself.
  private final Map<String, Integer> connections = new HashMap<>();

  private int connectionCount; // guarded by connections

  /// Null while closed. Written by the thread that starts the node, read by event loops.
  private volatile @Nullable Protocols protocols;

  /// A door that is closed.
  public Door(Limits limits) {
    this.limits = limits;
  }

  /// Lets clients in.
  ///
  /// @param servers of the protocols
  public void open(Collection<ProtocolServer<?>> servers) {
    protocols = new Protocols(servers, limits, log, requestThreads, commandThreads);
  }

  /// Whether requests of HTTP, and commands of RESP that wait, have been taken within the last
  /// minute, if there were any.
  public boolean takesRequests() {
    return requestThreads.takeRequests() && commandThreads.takeRequests();
  }

  /// Ends what carries out requests, when all connections have ended.
  void stop() {
    requestThreads.stop();
    commandThreads.stop();
  }

  boolean isClosed() {
    return protocols == null;
  }

  Limits limits() {
    return limits;
  }

  RareLog log() {
    return log;
  }

  /// Puts the guards of a connection in its pipeline.
  ///
  /// @return whether it may continue; if not, nothing was done
  boolean enter(Channel channel) {
    Protocols opened = protocols;
    if (opened == null) {
      return false;
    }
    String address = addressOf(channel);
    String refused = count(address);
    if (refused != null) {
      log.warn(refused, address, "close some, or raise --connections");
      return false;
    }
    channel.pipeline().addFirst("varve-connection", new Connection(this, address));
    channel.pipeline().addLast("varve-protocols", opened.installer());
    return true;
  }

  /// The address of a peer, without its port.
  static String addressOf(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress().getHostAddress()
        : "";
  }

  /// Counts a connection, or says why it is one too many.
  private @Nullable String count(String address) {
    synchronized (connections) {
      if (connectionCount >= limits.connectionsMax()) {
        return "too many connections";
      }
      if (connections.getOrDefault(address, 0) >= limits.connectionsPerAddressMax()) {
        return "too many connections of one address";
      }
      connections.merge(address, 1, Integer::sum);
      connectionCount++;
      return null;
    }
  }

  void leave(String address) {
    synchronized (connections) {
      connections.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
      connectionCount--;
    }
  }

  /// Takes bytes for a request that is not complete, unless there are none left.
  boolean hold(long bytes) {
    if (heldBytes.addAndGet(bytes) <= limits.requestBytesMax()) {
      return true;
    }
    heldBytes.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    heldBytes.addAndGet(-bytes);
  }
}
