package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.AclCategory;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.Resp3Command;
import org.infinispan.server.resp.commands.string.DEL;

/// As `DEL`, whose memory no client waits for, either. Infinispan has no such command. A command is
/// called as its class is.
public final class UNLINK extends RespCommand implements Resp3Command {
  private final DEL removal = new DEL();

  public UNLINK() {
    super(
        -2,
        1,
        -1,
        1,
        AclCategory.KEYSPACE.mask() | AclCategory.WRITE.mask() | AclCategory.FAST.mask());
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return removal.perform(handler, ctx, arguments);
  }
}
