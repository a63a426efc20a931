package io.varve.grid.guard.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.blobs.BlobResource;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Peer;
import io.varve.grid.guard.connection.RefusedRequest;
import io.varve.grid.guard.connection.RequestTurns;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Passes requests for blobs on without their bodies, which are read as they come, and sends the
/// bodies of their answers as they are taken. It comes before what puts parts of requests together.
/// One request of a connection is under way at a time (TURNS-1).
///
/// - EXCHANGE-1 Of a body [#UNREAD_BYTES_MAX] wait to be read, and what one read of the socket
///   brings. They count as held (CONNECTION-2), and so does the window of a stream of HTTP/2 while
///   that is not read. What was read does not.
/// - EXCHANGE-2 A client that waits for `100 Continue` has it when its body is read for the first
///   time. So a request that is refused takes none of it.
/// - EXCHANGE-3 Where an answer comes before the end of the body, the rest is dropped, and the
///   connection ends as after a refusal (REFUSED-1).
/// - EXCHANGE-4 Of an answer [#UNSENT_PIECES_MAX] pieces are not taken by the connection. Its
///   source is closed when it was sent, or the connection has ended, or its client is too slow
///   (PACE-1).
/// - EXCHANGE-5 An answer that cannot be read to its end ends the connection before its length.
/// - EXCHANGE-6 What decompresses bodies sees none that is compressed, and passes requests on as
///   they are.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class BlobExchange extends ChannelDuplexHandler {
  /// As many as a connection holds without being counted ([Connection]).
  private static final int UNREAD_BYTES_MAX = 64 << 10;

  private static final int PIECE_BYTES = 64 << 10;
  private static final int UNSENT_PIECES_MAX = 4;

  /// What states no length.
  private static final Set<HttpResponseStatus> BODILESS =
      Set.of(HttpResponseStatus.NO_CONTENT, HttpResponseStatus.NOT_MODIFIED);

  private final Duration within;
  private ChannelHandlerContext context;

  private @Nullable Request request; // until it is answered
  private @Nullable BlobBody body; // until its end was received
  private long unreadBytes;
  private boolean isPaused;
  private boolean drops; // what is left of a body
  private boolean endsConnection; // after that

  /// @param within a client passes some bytes (PACE-1)
  @SuppressWarnings("NullAway") // The context is set as soon as the handler is added.
  BlobExchange(Duration within) {
    this.within = within;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /// A request whose body is streamed.
  final class Request extends DefaultFullHttpRequest {
    private final BlobBody ofRequest;
    private final boolean awaitsContinue;
    private final List<String> encodings;

    // Set before the answer is written, and read by the event loop then.
    private long length = -1;
    private @Nullable InputStream content;

    private boolean isAnswered; // or never will be; of the event loop alone, as the next
    private boolean isBegun; // a thread reads the body, and closes it

    private Request(HttpRequest head, boolean awaitsContinue) {
      super(
          head.protocolVersion(),
          head.method(),
          head.uri(),
          Unpooled.EMPTY_BUFFER,
          head.headers(),
          EmptyHttpHeaders.INSTANCE);
      this.awaitsContinue = awaitsContinue;
      this.encodings = head.headers().getAll(HttpHeaderNames.CONTENT_ENCODING);
      head.headers().remove(HttpHeaderNames.CONTENT_ENCODING); // EXCHANGE-6
      this.ofRequest =
          new BlobBody(
              within,
              new BlobBody.Flow() {
                @Override
                public void begins() {
                  execute(() -> begin(Request.this));
                }

                @Override
                public void taken(int bytes) {
                  execute(() -> BlobExchange.this.taken(bytes));
                }
              });
    }

    /// The address of the client.
    String address() {
      return Peer.address(context.channel());
    }

    /// Whether the body is compressed.
    boolean isCompressed() {
      return !encodings.stream().allMatch(HttpHeaderValues.IDENTITY::contentEqualsIgnoreCase);
    }

    /// To be read, and closed, by one thread.
    InputStream body() {
      return ofRequest;
    }

    /// States the body of the answer, before that is given.
    ///
    /// @param source which is closed; null if the body is not sent
    void answers(long bytes, @Nullable InputStream source) {
      boolean isTaken =
          execute(() -> {
            if (!isAnswered) {
              length = bytes;
              content = source;
            } else {
              close(source);
            }
          });
      if (!isTaken) {
        close(source);
      }
    }
  }

  /// Has the event loop do something.
  ///
  /// @return whether it will
  private boolean execute(Runnable task) {
    try {
      context.executor().execute(task);
      return true;
    } catch (RejectedExecutionException _) { // The node stops.
      return false;
    }
  }

  private static void close(@Nullable InputStream source) {
    try {
      if (source != null) {
        source.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest head && BlobResource.takes(head.uri())) {
      boolean awaitsContinue = HttpUtil.is100ContinueExpected(head);
      head.headers().remove(HttpHeaderNames.EXPECT);
      var begun = new Request(head, awaitsContinue);
      request = begun;
      body = begun.ofRequest;
      drops = false;
      ctx.fireChannelRead(begun);
      if (message instanceof HttpContent content) { // all of it is there, as in HTTP/2
        take(content);
      }
    } else if (body != null || drops) {
      take((HttpObject) message);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /// Takes a part of the body.
  private void take(HttpObject message) {
    BlobBody to = body;
    if (drops || to == null) { // EXCHANGE-3
      drops = !(message instanceof LastHttpContent);
      if (message instanceof HttpContent part) {
        Connection.of(context.channel()).passOver(part.content().readableBytes());
      }
      ReferenceCountUtil.release(message);
      if (!drops && endsConnection) {
        context.close();
      }
      return;
    }
    if (message instanceof HttpContent part) {
      int bytes = part.content().readableBytes();
      if (bytes == 0) {
        part.release();
      } else if (Connection.of(context.channel()).keep(bytes)) {
        unreadBytes += bytes;
        to.add(part.content());
      } else { // The connection was closed.
        part.release();
        return;
      }
      if (unreadBytes >= UNREAD_BYTES_MAX && !isPaused) { // EXCHANGE-1
        isPaused = true;
        context.channel().config().setAutoRead(false);
        Connection.of(context.channel()).keep(windowBytes());
      }
    }
    if (message instanceof LastHttpContent) {
      body = null;
      to.end();
    }
  }

  /// Nothing is read while enough waits (EXCHANGE-1). What decompresses bodies asks for more where
  /// it has passed nothing on, and does not see those of blobs.
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (!isPaused) {
      ctx.read();
    }
  }

  /// What the client of a stream of HTTP/2 may send while that is not read. (HTTP-3)
  private long windowBytes() {
    return context.channel() instanceof Http2StreamChannel ? Http2CodecUtil.DEFAULT_WINDOW_SIZE : 0;
  }

  /// Bytes of the body were read.
  private void taken(int bytes) {
    unreadBytes -= bytes;
    Connection connection = Connection.of(context.channel());
    connection.free(bytes);
    connection.passOver(bytes);
    if (isPaused && unreadBytes < UNREAD_BYTES_MAX) {
      isPaused = false;
      connection.free(windowBytes());
      RequestTurns.resume(context.channel());
    }
  }

  /// EXCHANGE-2
  private void begin(Request begun) {
    begun.isBegun = true;
    if (begun.awaitsContinue && !begun.isAnswered && body != null && unreadBytes == 0) {
      context.writeAndFlush(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    Request answered = request;
    if (answered == null
        || !(message instanceof FullHttpResponse answer)
        || answer.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
      ctx.write(message, promise);
      return;
    }
    request = null;
    answered.isAnswered = true;
    endBody(answered, answer, promise);
    InputStream content = answered.content;
    boolean isSuccess = answer.status().codeClass() == HttpStatusClass.SUCCESS;
    if (isSuccess && answered.length >= 0) {
      answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, answered.length);
    } else if (BODILESS.contains(answer.status())) {
      answer.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
    }
    if (content == null || !isSuccess) {
      close(content);
      ctx.write(answer, promise);
      return;
    }
    HttpResponse head =
        new DefaultHttpResponse(answer.protocolVersion(), answer.status(), answer.headers());
    long bytes = answered.length;
    answer.release();
    ctx.write(head);
    Thread.ofVirtual().name("varve-blobs-answer").start(() -> send(content, bytes, promise));
  }

  /// EXCHANGE-3
  private void endBody(Request answered, FullHttpResponse answer, ChannelPromise promise) {
    answered.ofRequest.close();
    if (body == null) {
      return;
    }
    body = null;
    drops = true;
    endsConnection = true;
    answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    promise
        .unvoid()
        .addListener(_ ->
            context
                .executor()
                .schedule(this::end, RefusedRequest.LISTEN_MILLIS, TimeUnit.MILLISECONDS));
  }

  /// Ends a connection, or a stream of HTTP/2, whose answer was sent. A client may take another
  /// error of the stream for one of the answer (RFC 9113, 8.1).
  private void end() {
    if (drops && context.channel() instanceof Http2StreamChannel) {
      context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
    }
    context.close();
  }

  /// Sends the body of an answer (EXCHANGE-4). Its promise is that of the whole answer.
  private void send(InputStream content, long length, ChannelPromise promise) {
    var pace = new TransferPace(within);
    var unsent = new Semaphore(UNSENT_PIECES_MAX);
    try (content) {
      for (long left = length; left > 0; ) {
        byte[] piece = content.readNBytes((int) Math.min(left, PIECE_BYTES));
        if (piece.length == 0) {
          throw new IOException("the content of an answer ends before its length");
        }
        left -= piece.length;
        boolean isTaken =
            pace.await(nanos -> unsent.tryAcquire(nanos, TimeUnit.NANOSECONDS))
                && context.channel().isActive()
                && execute(() ->
                    context
                        .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece)))
                        .addListener(_ -> unsent.release()));
        if (!isTaken) {
          throw new ClosedChannelException();
        }
        pace.passed(piece.length);
      }
      execute(() -> context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, promise));
    } catch (IOException | RuntimeException e) { // EXCHANGE-5
      execute(() -> {
        promise.tryFailure(e);
        context.close();
      });
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    BlobBody unfinished = body;
    Request unanswered = request;
    body = null;
    request = null;
    if (unfinished != null) {
      unfinished.fail(new ClosedChannelException());
    }
    if (unanswered != null) {
      unanswered.isAnswered = true;
      close(unanswered.content);
      if (!unanswered.isBegun) { // BODY-2: it may be refused, which is written to nobody
        unanswered.ofRequest.fail(new ClosedChannelException());
      }
    }
  }
}
