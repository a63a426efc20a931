package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.metadata.impl.InternalMetadataImpl;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `RENAME` and `RENAMENX`.
///
/// (RENAME-1) The entry expires under its new name when it would have under the old one, to the
/// millisecond: it takes the time of creation with it. Infinispan's own command begins what was
/// left of the lifespan again. (RENAME-2) A key that is given its own name stays; Infinispan's
/// command removes it.
final class Renaming {
  private Renaming() {}

  /// Carries out `RENAME`.
  ///
  /// @param done writes the reply
  static CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      Consumer<ResponseWriter> done) {
    byte[] from = arguments.getFirst();
    byte[] to = arguments.get(1);
    AdvancedCache<byte[], Object> cache =
        handler.typedCache(handler.cache().getValueDataConversion().getStorageMediaType());
    CompletionStage<Boolean> renamed =
        Arrays.equals(from, to)
            ? cache.containsKeyAsync(from)
            : cache
                .removeAsyncEntry(from)
                .thenCompose(entry ->
                    entry == null
                        ? CompletableFuture.completedFuture(false)
                        : put(cache, to, entry).thenApply(_ -> true));
    return handler.stageToReturn(
        renamed,
        ctx,
        (Boolean was, ResponseWriter writer) -> {
          if (was) {
            done.accept(writer);
          } else {
            writer.noSuchKey();
          }
        });
  }

  private static CompletionStage<?> put(
      AdvancedCache<byte[], Object> cache, byte[] key, CacheEntry<byte[], Object> entry) {
    return cache.putAsync(
        key,
        entry.getValue(),
        new InternalMetadataImpl(entry.getMetadata(), entry.getCreated(), entry.getLastUsed()));
  }

  /// Carries out `RENAMENX`, which looks for the new name first.
  static CompletionStage<RespRequestHandler> performIfAbsent(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return handler
        .cache()
        .containsKeyAsync(arguments.get(1))
        .thenComposeAsync(
            there ->
                there
                    ? handler.stageToReturn(
                        CompletableFuture.completedFuture(0L), ctx, ResponseWriter.INTEGER)
                    : perform(handler, ctx, arguments, writer -> writer.integers(1)),
            ctx.executor());
  }
}
