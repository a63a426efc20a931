package io.varve.bench.engine;

import java.util.concurrent.atomic.LongAdder;
import org.ehcache.Cache;
import org.ehcache.PersistentCacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.EntryUnit;
import org.ehcache.config.units.MemoryUnit;
import org.jspecify.annotations.Nullable;

/// Pages as entries of an Ehcache: some on the heap, all in its disk tier.
final class EhcachePages implements PageStore {
  private static final String NAME = "pages";

  /// Ehcache must know the size of its disk tier, and drops entries when it is full: so it gets
  /// capacity for half-full pages, and for what its allocator wastes.
  private static final int CAPACITY_FACTOR = 8;

  private static final long CAPACITY_BYTES_MIN = 64L << 20;

  private final PersistentCacheManager manager;
  private final Cache<Long, byte[]> cache;
  private final LongAdder gets = new LongAdder();

  EhcachePages(EngineSettings settings, int pageBytes, long pagesInMemory) {
    long capacity = Math.max(CAPACITY_BYTES_MIN, CAPACITY_FACTOR * settings.dataBytesMax());
    manager =
        CacheManagerBuilder.newCacheManagerBuilder()
            .with(CacheManagerBuilder.persistence(settings.directory().toFile()))
            .withCache(
                NAME,
                CacheConfigurationBuilder.newCacheConfigurationBuilder(
                    Long.class,
                    byte[].class,
                    ResourcePoolsBuilder.newResourcePoolsBuilder()
                        .heap(pagesInMemory, EntryUnit.ENTRIES)
                        .disk(capacity, MemoryUnit.B)))
            .build(true);
    cache = manager.getCache(NAME, Long.class, byte[].class);
  }

  @Override
  public byte[] get(long number) {
    byte @Nullable [] page = cache.get(number);
    gets.increment();
    if (page == null) {
      throw new IllegalStateException("a page that was put is not there: number=" + number);
    }
    return page;
  }

  @Override
  public void put(long number, byte[] page) {
    cache.put(number, page);
  }

  /// Ehcache does not report which tier had a page.
  @Override
  public PageUse use() {
    return new PageUse(gets.sum(), 0);
  }

  @Override
  public void close() {
    manager.close();
  }
}
