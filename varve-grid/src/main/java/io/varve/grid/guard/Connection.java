package io.varve.grid.guard;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// The first handler of a connection, used by its event loop alone.
///
/// - CONNECTION-1 What comes after the connection was closed, here or by another handler, is
///   dropped: a server that refuses a request does not try the bytes that follow it.
/// - CONNECTION-2 Bytes that were read since the last answer count as held, beyond [#FREE_BYTES]
///   against what all connections may hold ([Occupancy]).
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class Connection extends ChannelDuplexHandler {
  /// Enough for all but large values; a thousand connections hold 64 MiB.
  private static final long FREE_BYTES = 64 << 10;

  private final Occupancy occupancy;
  private final String address;
  private final long startNanos = System.nanoTime();

  private long requestBytes;
  private long heldBytes;
  private boolean answered;
  private boolean closed;
  private boolean left;
  private long lastNanos = startNanos;
  private Future<?> check;

  @SuppressWarnings("NullAway") // Set as soon as the handler is added.
  Connection(Occupancy occupancy, String address) {
    this.occupancy = occupancy;
    this.address = address;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    scheduleCheck(ctx, occupancy.limits().answerWithin().toNanos());
    ctx.channel().closeFuture().addListener(_ -> leave());
  }

  private void scheduleCheck(ChannelHandlerContext ctx, long nanos) {
    check = ctx.executor().schedule(() -> check(ctx), nanos, TimeUnit.NANOSECONDS);
  }

  /// Ends the connection if it is idle, or was never answered.
  private void check(ChannelHandlerContext ctx) {
    long nowNanos = System.nanoTime();
    long idleNanos = occupancy.limits().idle().toNanos();
    if (!answered) {
      refuse(ctx, "no complete request came in time");
    } else if (idleNanos > 0 && nowNanos - lastNanos >= idleNanos) {
      ctx.close(); // as usual, so without a word
      closed = true;
    } else if (idleNanos > 0) {
      scheduleCheck(ctx, lastNanos + idleNanos - nowNanos);
    }
  }

  /// Closes the connection and reports why.
  private void refuse(ChannelHandlerContext ctx, String cause) {
    closed = true;
    occupancy.log().warn(cause, address, "the connection was closed");
    ctx.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (closed) { // CONNECTION-1
      ReferenceCountUtil.release(message);
      return;
    }
    lastNanos = System.nanoTime();
    if (message instanceof ByteBuf bytes && !hold(bytes.readableBytes())) {
      ReferenceCountUtil.release(message);
      refuse(ctx, "too many bytes of requests that are not complete");
      return;
    }
    ctx.fireChannelRead(message);
  }

  private boolean hold(int bytes) {
    requestBytes += bytes;
    long wantedBytes = Math.max(0, requestBytes - FREE_BYTES) - heldBytes;
    if (wantedBytes <= 0) {
      return true;
    }
    if (!occupancy.hold(wantedBytes)) {
      return false;
    }
    heldBytes += wantedBytes;
    return true;
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    answered = true;
    lastNanos = System.nanoTime();
    requestBytes = 0;
    release();
    ctx.flush();
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    closed = true;
    ctx.close(promise);
  }

  private void release() {
    occupancy.release(heldBytes);
    heldBytes = 0;
  }

  private void leave() {
    if (!left) { // DOOR-2
      left = true;
      check.cancel(false);
      release();
      occupancy.leave(address);
    }
  }
}
