package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Takes members of the first of some sorted sets that has any, as `BZMPOP` does where it need not
/// wait. Infinispan's calls itself for each key, and came to the end of the stack at a thousand. A
/// command is called as its class is.
public final class ZMPOP extends org.infinispan.server.resp.commands.sortedset.ZMPOP {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return BlockingCommand.takeCounted(
        handler,
        ctx,
        arguments,
        List.of("MIN", "MAX"),
        (key, counted) -> BlockingSortedPop.take(handler, key, counted),
        BlockingSortedPop::replyCounted);
  }
}
