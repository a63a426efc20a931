package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;

/// `LPOP`, `RPOP`, `SPOP` and `SREM`: commands that take elements of one list or set for a client.
///
/// (TAKE-1) It begins when moves from the same key have ended, and they wait for it ([KeyQueue]).
/// While an element is moved it is under both keys ([Moving], MOVE-1): a client of each key could
/// take it. So do [BlockingPop] and [LMPOP] with each of their keys. What another node takes does
/// not wait.
public final class TakingCommand extends ReplacingCommand {
  private TakingCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it takes nothing, or is one of these.
  public static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "LPOP", "RPOP", "SPOP", "SREM" ->
          command instanceof TakingCommand ? command : new TakingCommand(command);
      default -> command;
    };
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return KeyQueue.MOVES.next(
        handler.cache().getName(),
        arguments.getFirst(),
        ctx.executor(),
        () -> performReplaced(handler, ctx, arguments));
  }
}
