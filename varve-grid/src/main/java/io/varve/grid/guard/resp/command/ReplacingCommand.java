package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.Resp3Command;

/// A command of ours with the name, the arity, the keys and the rights of one that it replaces.
abstract class ReplacingCommand extends RespCommand implements Resp3Command {
  private final RespCommand replaced;

  ReplacingCommand(RespCommand replaced) {
    super(
        replaced.getName(),
        replaced.getArity(),
        replaced.getFirstKeyPos(),
        replaced.getLastKeyPos(),
        replaced.getSteps(),
        replaced.aclMask());
    this.replaced = replaced;
  }

  final RespCommand replaced() {
    return replaced;
  }

  /// Carries out the command that is replaced.
  final CompletionStage<RespRequestHandler> performReplaced(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return ((Resp3Command) replaced).perform(handler, ctx, arguments);
  }

  /// Continues on the event loop with what was read, as a command is carried out there. The list of
  /// arguments may be that of the next command then.
  static <T> CompletionStage<RespRequestHandler> composed(
      CompletionStage<T> read,
      ChannelHandlerContext ctx,
      Function<T, CompletionStage<RespRequestHandler>> next) {
    return CompletionStages.isCompletedSuccessfully(read)
        ? next.apply(CompletionStages.join(read))
        : read.thenComposeAsync(next, ctx.channel().eventLoop());
  }
}
