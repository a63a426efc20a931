package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.RequestThreads;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.infinispan.AdvancedCache;
import org.infinispan.CacheStream;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, off the event loop (REQUEST-3). Its own goes through keys where their
/// number came, which is the event loop where that was known. A command is called as its class is.
public final class RANDOMKEY extends org.infinispan.server.resp.commands.generic.RANDOMKEY {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    CompletionStage<byte @Nullable []> key =
        cache
            .sizeAsync()
            .thenApplyAsync(size -> key(cache, size), RequestThreads.ofCommands(ctx.channel()));
    return handler.stageToReturn(key, ctx, ResponseWriter.BULK_STRING_BYTES);
  }

  private static byte @Nullable [] key(AdvancedCache<byte[], byte[]> cache, long size) {
    if (size == 0) {
      return null;
    }
    try (CacheStream<byte[]> keys = cache.keySet().stream()) {
      return keys.skip(ThreadLocalRandom.current().nextLong(size)).findAny().orElse(null);
    }
  }
}
