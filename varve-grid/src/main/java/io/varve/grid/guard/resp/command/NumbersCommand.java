package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;

/// A command with whole numbers at some of its words, refused where a word there is none
/// (NUMBERS-1). It is the first to see a call: those that it replaces read the numbers each in its
/// own way.
public final class NumbersCommand extends ReplacingCommand {
  /// The offsets of numbers among the arguments. What is named by an option is read by the command.
  private static final Map<String, List<Integer>> NUMBERS = new HashMap<>();

  static {
    List.of("LMPOP", "SINTERCARD", "ZDIFF", "ZINTER", "ZINTERCARD", "ZMPOP", "ZUNION")
        .forEach(name -> NUMBERS.put(name, List.of(0)));
    List.of(
            "DECRBY",
            "EXPIRE",
            "EXPIREAT",
            "HRANDFIELD",
            "INCRBY",
            "LINDEX",
            "LPOP",
            "LREM",
            "LSET")
        .forEach(name -> NUMBERS.put(name, List.of(1)));
    List.of("PEXPIRE", "PEXPIREAT", "PSETEX", "RPOP", "SETEX", "SETRANGE", "SPOP", "SRANDMEMBER")
        .forEach(name -> NUMBERS.put(name, List.of(1)));
    List.of("ZDIFFSTORE", "ZINTERSTORE", "ZPOPMAX", "ZPOPMIN", "ZRANDMEMBER", "ZUNIONSTORE")
        .forEach(name -> NUMBERS.put(name, List.of(1)));
    List.of("GETRANGE", "LRANGE", "LTRIM", "SUBSTR", "ZREMRANGEBYRANK", "ZREVRANGE")
        .forEach(name -> NUMBERS.put(name, List.of(1, 2)));
    NUMBERS.put("HINCRBY", List.of(2));
  }

  private final List<Integer> offsets;

  private NumbersCommand(RespCommand command, List<Integer> offsets) {
    super(command);
    this.offsets = offsets;
  }

  /// The command itself if it has none.
  public static RespCommand of(RespCommand command) {
    List<Integer> offsets = NUMBERS.get(command.getName());
    return offsets == null ? command : new NumbersCommand(command, offsets);
  }

  /// The command that one of these replaces, or the command itself.
  public static RespCommand replacedBy(RespCommand command) {
    return command instanceof NumbersCommand numbers ? numbers.replaced() : command;
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    for (int offset : offsets) {
      if (offset < arguments.size() && !RespNumbers.isNumber(arguments.get(offset))) {
        handler.writer().valueNotInteger();
        return handler.myStage();
      }
    }
    return performReplaced(handler, ctx, arguments);
  }
}
