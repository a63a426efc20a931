package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.tx.TransactionContext;

/// A command that may add to keys for which clients wait.
///
/// (SERVING-1) Its answer is sent when the clients of this process have been offered what it added.
/// The next command of its connection comes after that. So what such a client takes or moves is
/// done before, as at Redis. In a transaction it does not wait: clients are offered what is there
/// after the transaction (BLOCKED-5). `BLMOVE` and `BRPOPLPUSH` wait for what they add as well
/// ([BlockingCommand]).
public final class ServingCommand extends ReplacingCommand {
  private static final Set<String> ADDING =
      Set.of(
          "COPY",
          "LMOVE",
          "LPUSH",
          "RENAME",
          "RENAMENX",
          "RPOPLPUSH",
          "RPUSH",
          "SORT",
          "ZADD",
          "ZDIFFSTORE",
          "ZINCRBY",
          "ZINTERSTORE",
          "ZRANGESTORE",
          "ZUNIONSTORE");

  private ServingCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if no client waits for what it adds.
  public static RespCommand of(RespCommand command) {
    return ADDING.contains(command.getName()) ? new ServingCommand(command) : command;
  }

  /// The command that one of these replaces, or the command itself.
  public static RespCommand replacedBy(RespCommand command) {
    return command instanceof ServingCommand serving ? serving.replaced() : command;
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (TransactionContext.isInTransactionContext(ctx)) {
      return performReplaced(handler, ctx, arguments);
    }
    BlockedKeys.Reach reach =
        BlockedKeys.reach(handler.cache().getName(), List.of(addedTo(arguments)));
    CompletionStage<RespRequestHandler> performed = performReplaced(handler, ctx, arguments);
    return reach.isEmpty()
        ? performed
        : performed.thenCompose(next -> after(reach.served(), next, ctx));
  }

  /// The keys, among which are those that it adds to.
  private byte[][] addedTo(List<byte[]> arguments) {
    return getName().equals("SORT")
        ? CommandRights.storedBySort(arguments).stream().toArray(byte[][]::new)
        : extractKeys(arguments);
  }

  /// Continues on the event loop, as Infinispan expects it.
  private static CompletionStage<RespRequestHandler> after(
      CompletionStage<Void> served, RespRequestHandler next, ChannelHandlerContext ctx) {
    return CompletionStages.isCompletedSuccessfully(served)
        ? CompletableFuture.completedFuture(next)
        : served.thenApplyAsync(_ -> next, ctx.channel().eventLoop());
  }
}
