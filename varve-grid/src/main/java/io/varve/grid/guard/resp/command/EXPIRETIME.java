package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, by [Expiry]. A command is called as its class is.
public final class EXPIRETIME extends org.infinispan.server.resp.commands.generic.EXPIRETIME {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return Expiry.time(handler, ctx, arguments, TimeUnit.SECONDS);
  }
}
