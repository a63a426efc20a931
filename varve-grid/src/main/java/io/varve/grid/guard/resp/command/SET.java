package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, by [TimedSet] where a time or a condition is named. A command is called as
/// its class is.
public final class SET extends org.infinispan.server.resp.commands.string.SET {
  private static final int PLAIN_ARGUMENTS = 2;

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return arguments.size() == PLAIN_ARGUMENTS
        ? super.perform(handler, ctx, arguments)
        : TimedSet.perform(handler, ctx, arguments, "set");
  }
}
