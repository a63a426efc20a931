package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.BlockingCommand.Counted;
import io.varve.grid.guard.BlockingPop.Taken;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// Takes elements of the first of some lists that has any, as `BLMPOP` does where it need not wait.
/// It begins for each list when moves of it have ended (TAKE-1), for which Infinispan's does not
/// wait. A command is called as its class is.
final class LMPOP extends org.infinispan.server.resp.commands.list.LMPOP {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Counted counted;
    try {
      counted = BlockingCommand.counted(arguments, /* timeoutMillis= */ 0, "LEFT", "RIGHT");
    } catch (IllegalArgumentException e) {
      handler.writer().customError(e.getMessage());
      return handler.myStage();
    }
    return handler.stageToReturn(
        take(handler, ctx, counted, counted.keys().iterator()),
        ctx,
        (taken, writer) -> {
          if (taken == null) {
            writer.nulls();
          } else {
            BlockingPop.replyCounted(taken, writer);
          }
        });
  }

  private static CompletionStage<@Nullable Taken> take(
      Resp3Handler handler, ChannelHandlerContext ctx, Counted counted, Iterator<byte[]> keys) {
    // A loop over what is known immediately: calls would be as deep as there are keys.
    while (keys.hasNext()) {
      CompletableFuture<@Nullable Taken> taken =
          BlockingPop.take(handler, ctx, keys.next(), counted).toCompletableFuture();
      if (!taken.isDone()) {
        return taken.thenCompose(first ->
            first == null
                ? take(handler, ctx, counted, keys)
                : CompletableFuture.completedFuture(first));
      }
      if (taken.isCompletedExceptionally() || taken.join() != null) {
        return taken;
      }
    }
    return CompletableFuture.completedFuture(null);
  }
}
