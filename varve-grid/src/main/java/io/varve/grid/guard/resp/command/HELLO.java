package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.login.Logins;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3AuthHandler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, also for a connection that has a user ([Logins]). A command is called as
/// its class is.
public final class HELLO extends org.infinispan.server.resp.commands.connection.HELLO {
  /// A version, the word `AUTH`, a name and a password: as Infinispan knows a login.
  private static final int LOGIN_ARGUMENTS = 4;

  private static final int NAME_AT = 2;

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3AuthHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return arguments.size() == LOGIN_ARGUMENTS
        ? Logins.perform(
            handler, ctx, arguments.get(NAME_AT), () -> super.perform(handler, ctx, arguments))
        : super.perform(handler, ctx, arguments);
  }
}
