package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.Channels.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.commands.Resp3Command;

/// Infinispan's command, which answers that it is not implemented. A command is called as its class
/// is, and Infinispan ends a transaction at one of this class.
public final class PSUBSCRIBE extends org.infinispan.server.resp.commands.pubsub.PSUBSCRIBE
    implements Resp3Command {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (ChannelPatterns.fits(arguments)) {
      return new SubscriberHandler(handler.respServer(), handler)
          .handleRequest(ctx, this, arguments);
    }
    handler.writer().customError(ChannelPatterns.TOO_MANY);
    return handler.myStage(); // It is no subscriber.
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      SubscriberHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    ChannelPatterns subscribed = ChannelPatterns.of(ctx.channel());
    Set<WrappedByteArray> patterns = subscribed.copy();
    int channels = handler.specificChannelSubscribers().size();
    List<Change> changes = new ArrayList<>();
    for (byte[] pattern : arguments) {
      patterns.add(new WrappedByteArray(pattern));
      changes.add(new Change(pattern, channels + patterns.size()));
    }
    List<byte[]> all = patterns.stream().map(WrappedByteArray::getBytes).toList();
    if (!ChannelPatterns.fits(all)) {
      handler.writer().customError(ChannelPatterns.TOO_MANY);
      return handler.myStage();
    }
    return Channels.answer(
        handler,
        ctx,
        subscribed.listen(handler.cache()),
        "psubscribe",
        changes,
        () -> subscribed.set(all));
  }
}
