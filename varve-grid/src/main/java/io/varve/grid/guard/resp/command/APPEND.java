package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.StringChange.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, with the time to live of [StringChange]. A command is called as its class
/// is.
public final class APPEND extends org.infinispan.server.resp.commands.string.APPEND {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    byte[] added = arguments.get(1);
    return StringChange.perform(
        handler,
        ctx,
        arguments.getFirst(),
        value -> new Outcome.Changed(joined(value, added)),
        (bytes, writer) -> writer.integers(bytes.length));
  }

  private static byte[] joined(byte @Nullable [] value, byte[] added) {
    if (value == null) {
      return added;
    }
    byte[] both = Arrays.copyOf(value, value.length + added.length);
    System.arraycopy(added, 0, both, value.length, added.length);
    return both;
  }
}
