package io.varve.control.internal;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/// Which user is at the other end of a connection, as the system knows it.
public final class Peers {
  private Peers() {}

  /// Whether it is a process of that user.
  public static boolean isOf(SocketChannel channel, UserPrincipal user) throws IOException {
    return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(user);
  }
}
