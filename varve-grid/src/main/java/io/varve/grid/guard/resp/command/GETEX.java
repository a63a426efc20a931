package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.metadata.Metadata;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, with the times of [ExpiryTime]. Its own sets one that is later by what the
/// call takes, and takes the time away where the one that is named has passed. A command is called
/// as its class is.
public final class GETEX extends org.infinispan.server.resp.commands.string.GETEX {
  private static final int TIMED_ARGUMENTS = 3; // KEY OPTION TIME

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    String option = arguments.size() == TIMED_ARGUMENTS ? ExpiryTime.option(arguments.get(1)) : "";
    return switch (option) {
      case "EX", "PX", "EXAT", "PXAT" -> perform(handler, ctx, arguments, option);
      default -> super.perform(handler, ctx, arguments);
    };
  }

  private static CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments, String option) {
    long nowMillis = handler.respServer().getTimeService().wallClockTime();
    ExpiryTime time = ExpiryTime.parse(option, arguments.get(2), nowMillis);
    if (time == null) {
      handler.writer().customError("invalid expire time in 'getex' command");
      return handler.myStage();
    }
    return handler.stageToReturn(
        get(handler.cache(), arguments.getFirst(), time.metadata()),
        ctx,
        ResponseWriter.BULK_STRING_BYTES);
  }

  private static CompletionStage<byte @Nullable []> get(
      AdvancedCache<byte[], byte[]> cache, byte[] key, Metadata metadata) {
    return cache
        .getAsync(key)
        .thenCompose(value ->
            value == null
                ? CompletableFuture.completedFuture(value)
                : cache
                    .replaceAsync(key, value, value, metadata)
                    .thenCompose(done ->
                        done
                            ? CompletableFuture.completedFuture(value)
                            : get(cache, key, metadata))); // Another client was quicker.
  }
}
