package io.varve.grid.guard.resp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.guard.connection.Connection;
import java.nio.channels.ClosedChannelException;

/// The last handler of RESP, through which messages of channels go out and replies do not. It
/// counts them until they are written ([Connection], CONNECTION-4). Each message is written,
/// whether the subscriber reads or not, after the replies that are not written yet: one of them may
/// be that to its subscription.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class Pushes extends ChannelOutboundHandlerAdapter {
  private final RespCalls calls;
  private Connection connection;

  @SuppressWarnings("NullAway") // Set as soon as the handler is added.
  Pushes(RespCalls calls) {
    this.calls = calls;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (!(message instanceof ByteBuf pushed)) {
      ctx.write(message, promise);
      return;
    }
    calls.writeReplies();
    int bytes = pushed.readableBytes();
    if (connection.push(bytes)) {
      ctx.write(message, promise.unvoid()).addListener(_ -> connection.pushed(bytes));
    } else {
      ReferenceCountUtil.release(message);
      if (!promise.isVoid()) {
        promise.tryFailure(new ClosedChannelException());
      }
    }
  }
}
