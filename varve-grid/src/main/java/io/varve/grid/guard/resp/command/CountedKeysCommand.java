package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.entry.EntryLength;
import io.varve.grid.guard.resp.format.RespFrames;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;

/// A command that states how many keys follow. Infinispan takes memory for so many before it looks
/// at them: 8 GB for a request of 40 bytes.
///
/// - COUNTED-1 One that states more keys than it has arguments is refused, as at Redis, before
///   memory is taken for them.
/// - COUNTED-2 It names at most [BlockingCommand#KEYS_MAX] keys. Infinispan looks at one after the
///   other on the event loop, which `LMPOP` of 200,000 absent keys held for seconds.
/// - COUNTED-3 The sorted sets that are combined have at most [RespFrames#ELEMENTS_MAX] members
///   together. One that is named 50 times is gone through as often.
public final class CountedKeysCommand extends ReplacingCommand {
  private static final String TOO_MANY_MEMBERS =
      "too many members: max=" + RespFrames.ELEMENTS_MAX + " of all keys; name fewer keys";

  private final int position;

  private CountedKeysCommand(RespCommand command, int position) {
    super(command);
    this.position = position;
  }

  /// The command itself if it states no number of keys.
  public static RespCommand of(RespCommand command) {
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
    long keyCount = keyCount(arguments.get(position));
    if (keyCount > arguments.size() - position - 1) { // COUNTED-1
      handler
          .writer()
          .customError(
              getName().equals("SINTERCARD")
                  ? "Number of keys can't be greater than number of args"
                  : "syntax error");
      return handler.myStage();
    }
    if (keyCount > BlockingCommand.KEYS_MAX) { // COUNTED-2
      handler.writer().customError(BlockingCommand.TOO_MANY_KEYS);
      return handler.myStage();
    }
    if (keyCount <= 1 || !getName().startsWith("Z") || getName().equals("ZMPOP")) {
      return performReplaced(handler, ctx, arguments);
    }
    List<byte[]> words = List.copyOf(arguments);
    return composed(
        members(handler, words.subList(position + 1, position + 1 + (int) keyCount)),
        ctx,
        members -> {
          if (members <= RespFrames.ELEMENTS_MAX) {
            return performReplaced(handler, ctx, words);
          }
          handler.writer().customError(TOO_MANY_MEMBERS); // COUNTED-3
          return handler.myStage();
        });
  }

  private static CompletionStage<Long> members(Resp3Handler handler, List<byte[]> keys) {
    return CompletionStages.performSequentially(
        keys.iterator(),
        key ->
            EntryLength.read(handler, key)
                .thenApply(entry -> entry == null ? 0 : EntryLength.elements(entry.getValue())),
        Collectors.summingLong(Long::longValue));
  }

  /// What is no number is refused by the command that is replaced.
  private static long keyCount(byte[] argument) {
    try {
      return RespNumbers.toLong(argument);
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
