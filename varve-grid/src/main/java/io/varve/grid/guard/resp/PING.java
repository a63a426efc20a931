package io.varve.grid.guard.resp;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which answers subscribers as all others. At version 2 they are answered by
/// an array, as all that they get is one. A command is called as its class is.
final class PING extends org.infinispan.server.resp.commands.connection.PING {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      SubscriberHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    RespReplies replies = ctx.pipeline().get(RespReplies.class);
    if (replies.version() != RespReplies.OLD_VERSION || arguments.size() > 1) {
      return super.perform(handler, ctx, arguments);
    }
    ResponseWriter writer = handler.writer();
    writer.arrayStart(2);
    writer.arrayNext();
    writer.string("pong");
    writer.arrayNext();
    writer.string(arguments.isEmpty() ? new byte[0] : arguments.getFirst());
    writer.arrayEnd();
    return handler.myStage();
  }
}
