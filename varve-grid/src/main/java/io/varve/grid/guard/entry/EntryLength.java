package io.varve.grid.guard.entry;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.HashMapBucket;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.jspecify.annotations.Nullable;

/// How long an entry of RESP is: the bytes of all its strings.
public final class EntryLength {
  private EntryLength() {}

  /// Reads an entry of any type, null if there is none. Infinispan does not state that.
  public static CompletionStage<CacheEntry<byte[], Object>> read(Resp3Handler handler, byte[] key) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    return cache
        .<byte[], Object>withMediaType(MediaType.APPLICATION_OCTET_STREAM, stored)
        .getCacheEntryAsync(key);
  }

  public static long bytes(@Nullable CacheEntry<?, ?> entry) {
    return entry == null ? 0 : bytes(entry.getValue());
  }

  /// The elements of a value that is a collection, 0 of another one.
  public static long elements(@Nullable Object value) {
    return switch (value) {
      case ListBucket<?> list -> list.size();
      case SetBucket<?> set -> set.size();
      case HashMapBucket<?, ?> hash -> hash.size();
      case SortedSetBucket<?> sorted -> sorted.size();
      case null, default -> 0;
    };
  }

  /// The bytes of all strings of a value.
  public static long bytes(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes.length;
      case ListBucket<?> list -> sum(list.toDeque());
      case SetBucket<?> set -> sum(set.toList());
      case HashMapBucket<?, ?> hash -> {
        Map<?, ?> fields = hash.converted();
        yield sum(fields.keySet()) + sum(fields.values());
      }
      case SortedSetBucket<?> sorted -> {
        long bytes = 0;
        for (ScoredValue<?> entry : sorted.getScoredEntriesAsList()) {
          bytes += Double.BYTES + bytes(entry.getValue());
        }
        yield bytes;
      }
      case String text -> text.getBytes(StandardCharsets.UTF_8).length;
      default -> 0;
    };
  }

  private static long sum(Collection<?> values) {
    long bytes = 0;
    for (Object value : values) {
      bytes += bytes(value);
    }
    return bytes;
  }
}
