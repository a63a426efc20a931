package io.varve.grid.guard.entry;

import java.util.Collection;
import java.util.Map;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.commons.util.EntrySizeCalculator;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.HashMapBucket;
import org.infinispan.multimap.impl.ListBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;

/// About what entries take in memory: their strings, and what the JVM has for each of them.
///
/// (MEMORY-1) An entry in the memory of the default cache counts as one for each [#ENTRY_BYTES]
/// that it has begun. Infinispan counts a value of 64 MiB as one of 64 bytes, and some dozens of
/// them filled the heap for good. It knows no size of the lists of Redis.
public final class EntryMemory implements EntrySizeCalculator<Object, Object> {
  /// What an entry takes at most that counts as one.
  public static final int ENTRY_BYTES = 2 << 10;

  /// Of an entry in the map of a cache, in addition to its key and value.
  private static final int MAP_BYTES = 96;

  /// Of a string in addition to its bytes: its array, what wraps that, and a reference to it.
  private static final int STRING_BYTES = 48;

  EntryMemory() {}

  /// As how many entries one counts. MEMORY-1
  @Override
  public long calculateSize(Object key, Object value) {
    return 1 + bytes(key, value) / ENTRY_BYTES;
  }

  public static long bytes(Object key, Object value) {
    return MAP_BYTES + bytes(key) + bytes(value);
  }

  private static long bytes(Object value) {
    return switch (value) {
      case byte[] bytes -> STRING_BYTES + bytes.length;
      case WrappedByteArray bytes -> STRING_BYTES + bytes.getLength();
      case String text -> STRING_BYTES + text.length();
      case ListBucket<?> list -> sum(list.toDeque());
      case SetBucket<?> set -> sum(set.toList());
      case HashMapBucket<?, ?> hash -> {
        Map<?, ?> fields = hash.converted();
        yield sum(fields.keySet()) + sum(fields.values());
      }
      case SortedSetBucket<?> sorted -> sum(sorted.getScoredEntriesAsList());
      case ScoredValue<?> scored -> STRING_BYTES + Double.BYTES + bytes(scored.getValue());
      case CacheEntry<?, ?> entry -> bytes(entry.getValue());
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
