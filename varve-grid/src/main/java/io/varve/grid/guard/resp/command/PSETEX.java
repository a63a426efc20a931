package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;

/// Infinispan's command, which answers `OK` to a time that overflows, and then has no value. A
/// command is called as its class is.
public final class PSETEX extends org.infinispan.server.resp.commands.string.PSETEX {
  private static final byte[] OPTION = "PX".getBytes(US_ASCII);

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    List<byte[]> ofSet = List.of(arguments.getFirst(), arguments.get(2), OPTION, arguments.get(1));
    return TimedSet.perform(handler, ctx, ofSet, "psetex");
  }
}
