package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.tx.RespTransactionHandler;

/// Infinispan's command, during which no client that waits for a list is given what the transaction
/// may still remove ([RunningTransactions]). A command is called as its class is.
final class EXEC extends org.infinispan.server.resp.commands.tx.EXEC {
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The caller looks at the result.
  public CompletionStage<RespRequestHandler> perform(
      RespTransactionHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Runnable end = RunningTransactions.begin();
    CompletionStage<RespRequestHandler> performed;
    try {
      performed = super.perform(handler, ctx, arguments);
    } catch (RuntimeException | Error e) {
      end.run();
      throw e;
    }
    performed.whenComplete((_, _) -> end.run());
    return performed;
  }
}
