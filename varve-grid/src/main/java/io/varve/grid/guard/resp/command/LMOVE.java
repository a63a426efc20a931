package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, by [Moving] between two lists. A command is called as its class is.
public final class LMOVE extends org.infinispan.server.resp.commands.list.LMOVE {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    String from = ExpiryTime.option(arguments.get(2));
    String to = ExpiryTime.option(arguments.get(3));
    return isEnd(from) && isEnd(to) && !Arrays.equals(arguments.getFirst(), arguments.get(1))
        ? Moving.list(handler, ctx, arguments, from.equals(LEFT), to.equals(LEFT))
        : super.perform(handler, ctx, arguments);
  }

  private static boolean isEnd(String word) {
    return word.equals(LEFT) || word.equals(RIGHT);
  }
}
