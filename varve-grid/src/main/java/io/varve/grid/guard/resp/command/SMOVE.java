package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, by [Moving] between two sets. A command is called as its class is.
public final class SMOVE extends org.infinispan.server.resp.commands.set.SMOVE {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return Arrays.equals(arguments.getFirst(), arguments.get(1))
        ? super.perform(handler, ctx, arguments)
        : Moving.member(handler, ctx, arguments);
  }
}
