package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, whose transaction is bounded ([QueuedCommands]). A command is called as
/// its class is.
public final class MULTI extends org.infinispan.server.resp.commands.tx.MULTI {
  private final long bytesMax;

  /// @param bytesMax of the commands of a transaction
  public MULTI(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    handler.writer().ok();
    return CompletableFuture.completedFuture(
        new QueuedCommands(handler, Connection.of(ctx.channel()), bytesMax));
  }
}
