package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, which takes what is left of a stored number beyond 64 bits for the number
/// (NUMBERS-1), and so replaces it by another one. A command is called as its class is.
public final class HINCRBY extends org.infinispan.server.resp.commands.hash.HINCRBY {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    long by = RespNumbers.toLong(arguments.get(2));
    var overflows = new AtomicBoolean();
    CompletionStage<byte[]> sum =
        handler
            .getHashMapMultimap()
            .compute(arguments.get(0), arguments.get(1), (_, value) -> sum(value, by, overflows));
    return handler.stageToReturn(
        sum,
        ctx,
        (bytes, writer) -> {
          if (overflows.get()) {
            writer.customError(Counters.OVERFLOW_TEXT);
          } else {
            writer.integers(RespNumbers.toLong(bytes));
          }
        });
  }

  private static byte[] sum(byte @Nullable [] value, long by, AtomicBoolean overflows) {
    long number = value == null ? 0 : RespNumbers.toLong(value);
    try {
      byte[] sum = ArgumentUtils.toByteArray(Math.addExact(number, by));
      overflows.set(false); // An attempt before this one may have found another number.
      return sum;
    } catch (ArithmeticException _) {
      overflows.set(true);
      return ArgumentUtils.toByteArray(number);
    }
  }
}
