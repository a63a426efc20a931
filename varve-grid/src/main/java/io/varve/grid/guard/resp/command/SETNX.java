package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which fails where the key is there with a value of another type. A command
/// is called as its class is.
public final class SETNX extends org.infinispan.server.resp.commands.string.SETNX {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    CompletionStage<Long> written =
        EachType.of(handler)
            .putIfAbsentAsync(arguments.getFirst(), arguments.get(1))
            .thenApply(old -> old == null ? 1L : 0L);
    return handler.stageToReturn(written, ctx, ResponseWriter.INTEGER);
  }
}
