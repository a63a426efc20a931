package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, by [Renaming]. A command is called as its class is.
public final class RENAME extends org.infinispan.server.resp.commands.generic.RENAME {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return Renaming.perform(handler, ctx, arguments, ResponseWriter::ok);
  }
}
