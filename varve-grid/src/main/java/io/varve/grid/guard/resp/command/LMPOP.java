package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Takes elements of the first of some lists that has any, as `BLMPOP` does where it need not wait.
/// It begins for each list when moves of it have ended (TAKE-1), for which Infinispan's does not
/// wait. A command is called as its class is.
public final class LMPOP extends org.infinispan.server.resp.commands.list.LMPOP {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return BlockingCommand.takeCounted(
        handler,
        ctx,
        arguments,
        List.of("LEFT", "RIGHT"),
        (key, counted) -> BlockingPop.take(handler, ctx, key, counted),
        BlockingPop::replyCounted);
  }
}
