package io.varve.grid.guard.connection;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;

/// The other end of a connection.
public final class Peer {
  private Peer() {}

  /// The address of a peer, without its port.
  public static String address(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
        ? remote.getAddress().getHostAddress()
        : "";
  }
}
