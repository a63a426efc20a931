package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3AuthHandler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, also for a connection that has a user ([Logins]). A command is called as
/// its class is.
final class HELLO extends org.infinispan.server.resp.commands.connection.HELLO {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3AuthHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return Logins.perform(handler, ctx, () -> super.perform(handler, ctx, arguments));
  }
}
