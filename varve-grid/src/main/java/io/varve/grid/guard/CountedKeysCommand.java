package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;

/// A command that states how many keys follow. Infinispan takes memory for so many before it looks
/// at them: 8 GB for a request of 40 bytes.
///
/// (COUNTED-1) One that states more keys than it has arguments is refused, as at Redis, before
/// memory is taken for them.
final class CountedKeysCommand extends ReplacingCommand {
  private final int position;

  private CountedKeysCommand(RespCommand command, int position) {
    super(command);
    this.position = position;
  }

  /// The command itself if it states no number of keys.
  static RespCommand of(RespCommand command) {
    if (command instanceof CountedKeysCommand) {
      return command;
    }
    return switch (command.getName()) {
      case "LMPOP", "SINTERCARD", "ZDIFF", "ZINTER", "ZINTERCARD", "ZMPOP", "ZUNION" ->
          new CountedKeysCommand(command, 0);
      case "ZDIFFSTORE", "ZINTERSTORE", "ZUNIONSTORE" -> new CountedKeysCommand(command, 1);
      default -> command;
    };
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (keyCount(arguments.get(position)) > arguments.size() - position - 1) { // COUNTED-1
      handler.writer().customError("syntax error");
      return handler.myStage();
    }
    return performReplaced(handler, ctx, arguments);
  }

  /// What is no number is refused by the command that is replaced.
  private static long keyCount(byte[] argument) {
    try {
      return ArgumentUtils.toLong(argument);
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
