package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.multimap.impl.HashMapBucket;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, whose `USAGE` fails for lists, hashes and sets, and for no entry. This one
/// gives about what an entry takes in memory: its strings, and what the JVM has for each of them.
/// It is for users who may read the entry, as at Redis. A command is called as its class is.
final class MEMORY extends org.infinispan.server.resp.commands.connection.MEMORY {
  /// Of an entry in the map of a cache, in addition to its key and value.
  private static final int ENTRY_BYTES = 96;

  /// Of a string in addition to its bytes: its array, what wraps that, and a reference to it.
  private static final int STRING_BYTES = 48;

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
            .thenApply(value -> value == null ? null : ENTRY_BYTES + bytes(key) + bytes(value));
    return handler.stageToReturn(usage, ctx, ResponseWriter.INTEGER);
  }

  private static long bytes(Object value) {
    return switch (value) {
      case byte[] bytes -> STRING_BYTES + bytes.length;
      case String text -> STRING_BYTES + text.length();
      case ListBucket<?> list -> sum(list.toDeque());
      case SetBucket<?> set -> sum(set.toList());
      case HashMapBucket<?, ?> hash -> {
        Map<?, ?> fields = hash.converted();
        yield sum(fields.keySet()) + sum(fields.values());
      }
      case SortedSetBucket<?> sorted -> sum(sorted.getScoredEntriesAsList());
      case ScoredValue<?> scored -> STRING_BYTES + Double.BYTES + bytes(scored.getValue());
      default -> STRING_BYTES;
    };
  }

  private static long sum(Collection<?> values) {
    long bytes = STRING_BYTES;
    for (Object value : values) {
      bytes += bytes(value);
    }
    return bytes;
  }
}
