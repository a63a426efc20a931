package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.entry.EntryMemory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, whose `USAGE` fails for lists, hashes and sets, and for no entry. This one
/// gives about what an entry takes in memory ([EntryMemory]). It is for users who may read the
/// entry, as at Redis. A command is called as its class is.
public final class MEMORY extends org.infinispan.server.resp.commands.connection.MEMORY {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    boolean isUsage =
        arguments.size() > 1
            && new String(arguments.getFirst(), StandardCharsets.US_ASCII)
                .equalsIgnoreCase("USAGE");
    if (!isUsage) {
      return super.perform(handler, ctx, arguments);
    }
    byte[] key = arguments.get(1);
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    CompletionStage<@Nullable Long> usage =
        cache
            .<byte[], Object>withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored)
            .getAsync(key)
            .thenApply(value -> value == null ? null : EntryMemory.bytes(key, value));
    return handler.stageToReturn(usage, ctx, ResponseWriter.INTEGER);
  }
}
