package io.varve.grid.guard.hotrod;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import io.varve.grid.guard.connection.Connection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Ends the connection of a client of Hot Rod that listens to a cache and does not take its events.
/// Used by the event loop of the connection alone.
///
/// (LISTENER-1) Infinispan keeps a hundred events for a listener. Each write to the cache waits
/// until the event that it adds to those is sent. So a client that is stuck, or cut off without a
/// word, stops all that write. While there is more for such a client than its connection takes, it
/// reads [Connection#BYTES_PER_SECOND_MIN] in each [#CHECK_SECONDS], or its connection ends. A
/// client that is there makes another, and adds its listener again.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class ListenerReads extends ChannelDuplexHandler {
  /// Less than the ten seconds that a call waits for the lock of a key.
  static final long CHECK_SECONDS = 5;

  private Connection connection;
  private ChannelHandlerContext context;
  private boolean listens;

  /// While the connection takes no more bytes; null else.
  private @Nullable Future<?> check;

  private long unsentBytes; // at the last check
  private long addedBytes; // since that

  @SuppressWarnings("NullAway") // Both are set as soon as the handler is added.
  ListenerReads() {}

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    connection = Connection.of(ctx.channel());
  }

  /// States that the client adds a listener.
  void listens() {
    listens = true;
    follow();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    follow();
    ctx.fireChannelWritabilityChanged();
  }

  private void follow() {
    boolean waits = listens && context.channel().isActive() && !context.channel().isWritable();
    if (waits && check == null) {
      scheduleCheck();
    } else if (!waits && check != null) {
      check.cancel(false);
      check = null;
    }
  }

  private void scheduleCheck() {
    unsentBytes = context.channel().bytesBeforeWritable();
    addedBytes = 0;
    check = context.executor().schedule(this::check, CHECK_SECONDS, TimeUnit.SECONDS);
  }

  private void check() {
    check = null;
    long takenBytes = unsentBytes + addedBytes - context.channel().bytesBeforeWritable();
    if (takenBytes < CHECK_SECONDS * Connection.BYTES_PER_SECOND_MIN) {
      connection.refuse("a listener does not take its events");
    } else {
      scheduleCheck();
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (check != null && message instanceof ByteBuf bytes) {
      addedBytes += bytes.readableBytes();
    }
    ctx.write(message, promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    follow();
    ctx.fireChannelInactive();
  }
}
