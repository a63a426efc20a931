package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, by [Expiry]. A command is called as its class is.
public final class PERSIST extends org.infinispan.server.resp.commands.generic.PERSIST {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return Expiry.persist(handler, ctx, arguments);
  }
}
