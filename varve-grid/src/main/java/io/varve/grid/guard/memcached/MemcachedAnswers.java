package io.varve.grid.guard.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.varve.StoreFullException;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.entry.FullStores;
import io.varve.grid.guard.login.Logins;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.memcached.ByteBufPool;
import org.infinispan.server.memcached.MemcachedBaseDecoder;
import org.infinispan.server.memcached.MemcachedInboundAdapter;
import org.infinispan.server.memcached.MemcachedResponse;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.MemcachedStatus;
import org.infinispan.server.memcached.binary.BinaryAuthDecoderImpl;
import org.infinispan.server.memcached.binary.BinaryHeader;
import org.infinispan.server.memcached.binary.BinaryOpDecoderImpl;
import org.infinispan.server.memcached.binary.BinaryResponse;
import org.infinispan.server.memcached.text.TextAuthDecoderImpl;
import org.jspecify.annotations.Nullable;

/// Writes the answers of memcached. Used by the event loop of a connection alone.
///
/// - MEMCACHED-1 A request of the binary protocol that has failed is answered with a status that
///   clients know. Infinispan answers only those that a user may not make: a client waited for good
///   where the disk is full or a value is no number. A quiet request is answered too if it fails.
/// - MEMCACHED-2 A request that cannot be read, and is answered by nothing, ends its connection:
///   where the next one begins is not known.
/// - MEMCACHED-4 A login that fails is answered as refused, whatever of it could not be read. The
///   text was that of a `NullPointerException` for a mechanism that is not offered.
/// - MEMCACHED-14 A client that resets its connection is not reported. Infinispan logs the trace of
///   a stack for each.
final class MemcachedAnswers extends MemcachedInboundAdapter {
  private static final int MAGIC = 0x81;
  private static final int HEADER_BYTES = 24;

  private final MemcachedServer server;

  MemcachedAnswers(MemcachedBaseDecoder decoder, MemcachedServer server) {
    super(decoder);
    this.server = server;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    CompletionStage<?> stage = ((MemcachedResponse) message).getResponse();
    if (CompletionStages.isCompletedSuccessfully(stage)) {
      super.channelRead(ctx, message);
      return;
    }
    BinaryAuthDecoderImpl login = ctx.pipeline().get(BinaryAuthDecoderImpl.class);
    if (login != null) {
      CompletionStage<?> answer =
          CompletionStages.handleAndCompose(afterLogin(ctx, stage), MemcachedAnswers::loginAnswer);
      super.channelRead(ctx, new BinaryResponse(answer, login.acquireHeader(), null));
      return;
    }
    if (ctx.pipeline().get(TextAuthDecoderImpl.class) != null) {
      // It completes on the event loop, before its answer is written.
      stage.whenComplete((_, failure) -> {
        if (failure == null) {
          installOwnDecoder(ctx);
        }
      });
    }
    BinaryOpDecoderImpl binary = ctx.pipeline().get(BinaryOpDecoderImpl.class);
    super.channelRead(
        ctx, binary == null ? message : new BinaryAnswer(stage, binary.acquireHeader()));
  }

  /// What a login is answered, once requests are read by our decoder: Infinispan installs its own.
  private CompletionStage<@Nullable Object> afterLogin(
      ChannelHandlerContext ctx, CompletionStage<?> stage) {
    return stage.thenApplyAsync(
        answer -> {
          installOwnDecoder(ctx);
          return answer;
        },
        ctx.channel().eventLoop());
  }

  private void installOwnDecoder(ChannelHandlerContext ctx) {
    MemcachedBaseDecoder own = MemcachedDecoders.install(ctx.pipeline(), server);
    if (own != null) {
      own.registerExceptionHandler(this::handleExceptionally);
    }
  }

  /// MEMCACHED-4
  private static CompletionStage<@Nullable Object> loginAnswer(
      @Nullable Object answer, @Nullable Throwable failure) {
    return failure == null
        ? CompletableFuture.completedFuture(answer)
        : CompletableFuture.failedFuture(new SecurityException(Logins.refusal(failure)));
  }

  /// MEMCACHED-14
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Nothing follows the end.
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  @Override
  public void handleExceptionally(ChannelHandlerContext ctx, MemcachedResponse response) {
    flushBufferIfNeeded(ctx);
    super.handleExceptionally(ctx, response);
    if (outbound == null) { // MEMCACHED-2
      Connection.of(ctx.channel()).refuse("a request of memcached cannot be read");
    }
  }

  /// An answer of the binary protocol that may be that of a failure. (MEMCACHED-1)
  private static final class BinaryAnswer extends BinaryResponse {
    private final BinaryHeader request;

    BinaryAnswer(CompletionStage<?> stage, BinaryHeader request) {
      super(stage, request, null);
      this.request = request;
    }

    @Override
    public void writeFailure(Throwable failure, ByteBufPool pool) {
      super.writeFailure(failure, pool);
      Throwable cause = CompletableFutures.extractException(failure);
      if (cause instanceof SecurityException) {
        return; // which Infinispan has answered
      }
      byte[] message = String.valueOf(cause.getMessage()).getBytes(US_ASCII);
      ByteBuf answer = pool.acquire(HEADER_BYTES + message.length);
      answer.writeByte(MAGIC).writeByte(request.getCommand().opCode());
      answer.writeInt(0); // no key, no extras, no type
      answer.writeShort(status(failure).getBinary());
      answer.writeInt(message.length).writeInt(request.getOpaque()).writeLong(0);
      answer.writeBytes(message);
    }

    private static MemcachedStatus status(Throwable failure) {
      if (isCausedBy(failure, FullStores.Refused.class)
          || isCausedBy(failure, StoreFullException.class)) {
        return MemcachedStatus.OUT_OF_MEMORY;
      }
      if (isCausedBy(failure, MemcachedValues.TooLong.class)) {
        return MemcachedStatus.VALUE_TOO_LARGE;
      }
      return isCausedBy(failure, NumberFormatException.class)
          ? MemcachedStatus.INCR_DECR_NON_NUMERIC
          : MemcachedStatus.INTERNAL_ERROR;
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
      return FullStores.cause(failure, type) != null;
    }
  }
}
