package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, of [Counters]. A command is called as its class is.
public final class DECRBY extends org.infinispan.server.resp.commands.string.DECRBY {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    long by = RespNumbers.toLong(arguments.get(1));
    return Counters.subtract(handler, ctx, arguments.getFirst(), by);
  }
}
