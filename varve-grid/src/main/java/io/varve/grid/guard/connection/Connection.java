package io.varve.grid.guard.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The first handler of a connection, used by its event loop alone.
///
/// - CONNECTION-1 What comes after the connection was closed, here or by another handler, is
///   dropped: a server that refuses a request does not try the bytes that follow it.
/// - CONNECTION-2 Bytes that were read since the last answer count as held, or what requests keep
///   in memory if that is more. Beyond [#FREE_BYTES] they count against what all connections may
///   hold ([Occupancy]).
/// - CONNECTION-3 A connection has some time for its first complete request, and as much again
///   while bytes come at [#BYTES_PER_SECOND_MIN]. What carries a request out takes as long as it
///   does. What TLS and HTTP/2 exchange for themselves is neither a request nor an answer.
/// - CONNECTION-4 Messages of channels of RESP that a subscriber has not taken are held too, and
///   are at most [#PUSH_BYTES_MAX] or one message.
/// - CONNECTION-5 Replies of RESP and HTTP that a client has not taken have bounds of their own,
///   for a connection and for all of them.
/// - CONNECTION-6 A client that has ended its output is answered what it has asked for. Then the
///   connection ends, or after [#OWED_SECONDS_MAX]. With TLS its end is that of the output (TLS-1);
///   a connection that ends without it ends immediately, since what came may not be all.
/// - CONNECTION-7 So is a client whose bytes cannot be followed, and it is then sent what was wrong
///   with them. What it still sends is dropped for [RefusedRequest#LISTEN_MILLIS], since an end of
///   the connection would take the answer away from it.
/// - CONNECTION-8 What is done for a client that waits is notified as soon as its output has ended
///   ([#inputEnd]), and not when the connection ends: a client that has gone takes nothing.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class Connection extends ChannelDuplexHandler {
  /// Enough for all but large values; a thousand connections hold 64 MiB.
  private static final long FREE_BYTES = 64 << 10;

  /// Of a first request that comes in parts: a slow line has more.
  public static final long BYTES_PER_SECOND_MIN = 4 << 10;

  /// As Redis has it for subscribers.
  private static final long PUSH_BYTES_MAX = 32 << 20;

  /// For the answers to a client that sends no more: longer than a call waits for other nodes.
  private static final long OWED_SECONDS_MAX = 60;

  private static final long NEXT_MILLIS = 20;

  private static final String TOO_MANY_BYTES = "too many bytes of requests that are not complete";

  private static final AttributeKey<Connection> OWN = AttributeKey.valueOf(Connection.class, "own");

  private final Occupancy occupancy;
  private final String address;
  private final long startNanos = System.nanoTime();

  private long requestBytes; // read since the last answer
  private long keptBytes; // by requests that were not answered
  private long pushBytes; // of messages to a subscriber that were not written
  private long heldBytes;
  private long replyBytes; // that are not written, beyond those that are free
  private long answerBytes; // of HTTP that are not written
  private boolean hasStreams;
  private boolean requested;
  private long newBytes; // read since the last check
  private boolean closed;
  private boolean left;
  private boolean inputEnded;
  private Runnable end; // once the input has ended and all is answered
  private boolean looks; // soon whether all is answered
  private long flushes;
  private long seenFlushes; // when that was to be looked at
  private long lastNanos = startNanos;
  private Future<?> check;
  private ChannelPromise inputEnd;
  private ChannelHandlerContext context;

  @SuppressWarnings("NullAway") // They are set as soon as the handler is added, or the input ends.
  public Connection(Occupancy occupancy, String address) {
    this.occupancy = occupancy;
    this.address = address;
  }

  /// The connection of a channel, or of the one that a stream of HTTP/2 belongs to. Also after its
  /// end, when its pipeline is empty: what was taken for its client is to go back (BLOCKED-1).
  public static Connection of(Channel channel) {
    Connection own = channel.attr(OWN).get();
    return own == null ? channel.parent().attr(OWN).get() : own;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    ctx.channel().attr(OWN).set(this);
    inputEnd = ctx.newPromise();
    scheduleCheck(ctx, occupancy.limits().answerWithin().toNanos());
    ctx.channel().closeFuture().addListener(_ -> leave());
  }

  private void scheduleCheck(ChannelHandlerContext ctx, long nanos) {
    check = ctx.executor().schedule(() -> check(ctx), nanos, TimeUnit.NANOSECONDS);
  }

  /// Ends the connection if it is idle, or had no complete request.
  private void check(ChannelHandlerContext ctx) {
    long nowNanos = System.nanoTime();
    long idleNanos = occupancy.limits().idle().toNanos();
    if (!requested) {
      awaitRequest(ctx); // CONNECTION-3
    } else if (idleNanos > 0 && nowNanos - lastNanos >= idleNanos) {
      ctx.close(); // as usual, so without a word
      closed = true;
    } else if (idleNanos > 0) {
      scheduleCheck(ctx, lastNanos + idleNanos - nowNanos);
    }
  }

  private void awaitRequest(ChannelHandlerContext ctx) {
    Duration within = occupancy.limits().answerWithin();
    if (newBytes * TimeUnit.SECONDS.toMillis(1) < BYTES_PER_SECOND_MIN * within.toMillis()) {
      refuse("no complete request came in time");
    } else {
      newBytes = 0;
      scheduleCheck(ctx, within.toNanos());
    }
  }

  /// Closes the connection and reports why.
  public void refuse(String cause) {
    closed = true;
    occupancy.log().warn(cause, address, "the connection was closed");
    context.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (closed || inputEnded) { // CONNECTION-1, CONNECTION-7
      ReferenceCountUtil.release(message);
      return;
    }
    lastNanos = System.nanoTime();
    if (message instanceof ByteBuf bytes && !read(bytes.readableBytes())) {
      ReferenceCountUtil.release(message);
      refuse(TOO_MANY_BYTES);
      return;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event != ChannelInputShutdownEvent.INSTANCE) {
      ctx.fireUserEventTriggered(event);
      return;
    }
    // Decoders are not notified: Netty's would drop the requests that wait in them.
    boolean hasTls = ctx.pipeline().get(SslHandler.class) != null;
    if (closed || (hasTls && !inputEnded)) {
      ctx.close();
    } else {
      endInput(ctx);
    }
  }

  /// Takes no more requests, and closes the connection when those that were read are answered.
  ///
  /// @param from what its handler and those before it have still to write goes first
  public void endInput(ChannelHandlerContext from) {
    endInput(
        () -> from.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE));
  }

  /// Takes no more requests, and ends the connection when those that were read are answered.
  /// (CONNECTION-6, CONNECTION-7)
  ///
  /// @param last ends the connection, after what there is to send yet
  public void endInput(Runnable last) {
    if (!inputEnded) {
      inputEnded = true;
      inputEnd.setSuccess();
      end = last;
      check.cancel(false);
      check =
          context.executor().schedule(() -> context.close(), OWED_SECONDS_MAX, TimeUnit.SECONDS);
      lookForEnd();
    }
  }

  /// Is done when no more requests are taken. (CONNECTION-8)
  public ChannelFuture inputEnd() {
    return inputEnd;
  }

  /// Ends the output, and the connection when the client has ended its own, or a while later.
  public void endOutput() {
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.closeOutbound();
    } else if (context.channel() instanceof DuplexChannel plain) {
      plain.shutdownOutput();
    }
    context
        .executor()
        .schedule(() -> context.close(), RefusedRequest.LISTEN_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Ends the connection if its client sends no more, all is answered, and no request begins within
  /// [#NEXT_MILLIS]: those that wait in a decoder begin in a later task.
  public void lookForEnd() {
    if (inputEnded && !looks) {
      looks = true;
      seenFlushes = flushes;
      context.executor().schedule(this::endIfAnswered, NEXT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void endIfAnswered() {
    looks = false;
    if (closed) {
      return;
    }
    if (seenFlushes != flushes) {
      lookForEnd();
      return;
    }
    for (var handler : context.pipeline()) {
      if (handler.getValue() instanceof Owing owing && owing.owesAnswers()) {
        return; // It is looked again after the answer.
      }
    }
    closed = true;
    end.run();
  }

  private boolean read(int bytes) {
    newBytes += bytes;
    if (!hasStreams) {
      requestBytes += bytes;
    }
    return hold();
  }

  /// States that requests come in streams of HTTP/2, so that their bodies alone are held: there are
  /// few other bytes.
  public void hasStreams() {
    hasStreams = true;
    requestBytes = 0;
    release();
  }

  /// Counts bytes that a request keeps in memory until it is answered.
  ///
  /// @return whether they may be held; if not, the connection was closed
  public boolean keep(long bytes) {
    keptBytes += bytes;
    if (closed || left) {
      return false;
    }
    if (hold()) {
      return true;
    }
    refuse(TOO_MANY_BYTES);
    return false;
  }

  /// Frees bytes of a request that was answered, or has ended.
  public void free(long bytes) {
    keptBytes -= bytes;
    release();
  }

  /// Frees bytes that were read and ask for nothing, so that no answer would.
  public void passOver(long bytes) {
    requestBytes = Math.max(0, requestBytes - bytes);
    release();
  }

  /// Notes that a complete request was passed on to what carries it out. (CONNECTION-3)
  public void requested() {
    requested = true;
  }

  /// Counts an answer to a request.
  public void answered() {
    requested = true;
    requestBytes = 0;
    release();
  }

  /// Counts a message to a subscriber that is to be written.
  ///
  /// @return whether it may be; if not, the connection was closed
  public boolean push(long bytes) {
    if (closed || left) {
      return false;
    }
    boolean fits = pushBytes == 0 || pushBytes + bytes <= PUSH_BYTES_MAX;
    pushBytes += bytes;
    if (fits && hold()) {
      return true;
    }
    pushBytes -= bytes;
    refuse("a subscriber does not read its messages");
    return false;
  }

  /// Counts a message that was written, or was not and never will be.
  public void pushed(long bytes) {
    pushBytes -= bytes;
    release();
  }

  /// Counts the replies that are not written, before there are more of them.
  ///
  /// @return whether they may be kept; if not, the connection was closed
  public boolean holdReplies(long bytes) {
    long wantedBytes = bytes - FREE_BYTES - replyBytes;
    if (wantedBytes <= 0 || left) {
      return true;
    }
    if (!closed
        && bytes <= occupancy.limits().replyBytesMax()
        && occupancy.holdReply(wantedBytes, replyBytes)) {
      replyBytes += wantedBytes;
      return true;
    }
    if (!closed) {
      refuse("replies are too long, or their client does not take them");
    }
    return false;
  }

  /// Counts the replies that are not written, after some were.
  public void freeReplies(long bytes) {
    long freeBytes = replyBytes - Math.max(0, bytes - FREE_BYTES);
    if (freeBytes > 0) {
      occupancy.releaseReply(freeBytes);
      replyBytes -= freeBytes;
    }
  }

  /// Counts an answer of HTTP that is to be written, also of a stream.
  ///
  /// @return whether it may be; if not, the connection was closed
  public boolean holdAnswer(long bytes) {
    if (!holdReplies(answerBytes + bytes)) {
      return false;
    }
    answerBytes += bytes;
    return true;
  }

  /// Counts an answer of HTTP that was written, or never will be.
  public void answerTaken(long bytes) {
    answerBytes -= bytes;
    freeReplies(answerBytes);
  }

  private long wantedBytes() {
    return Math.max(0, Math.max(requestBytes, keptBytes) + pushBytes - FREE_BYTES);
  }

  private boolean hold() {
    long wantedBytes = wantedBytes() - heldBytes;
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
    lastNanos = System.nanoTime();
    flushes++;
    ctx.flush();
    lookForEnd();
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    closed = true;
    ctx.close(promise);
  }

  /// Frees what is not wanted any more.
  private void release() {
    long freeBytes = heldBytes - wantedBytes();
    if (freeBytes > 0) {
      occupancy.release(freeBytes);
      heldBytes -= freeBytes;
    }
  }

  private void leave() {
    if (!left) { // DOOR-2
      left = true;
      check.cancel(false);
      occupancy.release(heldBytes);
      heldBytes = 0;
      freeReplies(0);
      occupancy.leave(address);
    }
  }
}
