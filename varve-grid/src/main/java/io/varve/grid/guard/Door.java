package io.varve.grid.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Occupancy;
import io.varve.grid.guard.connection.Peer;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.login.LoginGate;
import io.varve.grid.guard.login.LoginProtocol;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.infinispan.server.core.ProtocolServer;
import org.jspecify.annotations.Nullable;

/// The way into a node, for all of its ports.
///
/// - DOOR-1 While it is closed, no byte of a connection is read ([EventLoops] keeps it waiting). So
///   no request can start a cache, and wait on an event loop for what needs that event loop.
///
/// How many connections there may be, and what they hold, is for [Occupancy] to decide (DOOR-2).
public final class Door {
  private final Occupancy occupancy;
  private final RequestThreads requestThreads = new RequestThreads("varve-http");
  private final LoginGate logins;
  private final RequestThreads commandThreads = new RequestThreads("varve-resp");

  /// Null while closed. Written by the thread that starts the node, read by event loops.
  private volatile @Nullable Protocols protocols;

  /// A door that is closed.
  public Door(Limits limits) {
    this.occupancy = new Occupancy(limits);
    this.logins = new LoginGate(limits.failedLoginsMax());
  }

  /// Lets clients in.
  ///
  /// @param servers of the protocols
  public void open(Collection<ProtocolServer<?>> servers) {
    logins.start();
    protocols = new Protocols(servers, limits(), occupancy.log(), requestThreads, commandThreads);
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
    logins.stop();
  }

  LoginGate logins() {
    return logins;
  }

  /// How many logins have failed since the start, by the name of their protocol.
  public Map<String, LongSupplier> failedLogins() {
    return Arrays.stream(LoginProtocol.values())
        .collect(
            Collectors.toMap(
                LoginProtocol::label, protocol -> logins.failed().count(protocol)::sum));
  }

  boolean isClosed() {
    return protocols == null;
  }

  Limits limits() {
    return occupancy.limits();
  }

  /// Puts the guards of a connection in its pipeline.
  ///
  /// @return whether it may continue; if not, nothing was done
  boolean enter(Channel channel) {
    Protocols opened = protocols;
    if (opened == null) {
      return false;
    }
    String address = Peer.address(channel);
    String refused = occupancy.enter(address);
    if (refused != null) {
      occupancy.log().warn(refused, address, "close some, or raise --connections");
      return false;
    }
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true); // CONNECTION-6
    logins.take(channel);
    channel.pipeline().addFirst("varve-connection", new Connection(occupancy, address));
    channel.pipeline().addLast("varve-protocols", opened.installer());
    return true;
  }
}
