package io.varve.bench.words;

import io.varve.Durability;
import io.varve.cache.CacheEntry;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCache;
import io.varve.cache.VarveCachingProvider;
import io.varve.cache.mapreduce.MapReduce;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/// Byte arrays in a cache of Varve. The mapper reads them where they are.
final class CachedTexts implements Texts {
  private static final long LEAST_BUDGET_BYTES = 8 << 20;

  private static final ThreadLocal<WordScan> SCANS = ThreadLocal.withInitial(WordScan::new);

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final VarveCache<Integer, byte[]> cache;
  private final MapReduce<CacheEntry<Integer, byte[]>, String, Long, Long> job;

  @SuppressWarnings("unchecked") // made with these types
  CachedTexts(StorageMode mode, Path directory) {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.resolve("store").toString());
    CacheOptions<Integer, byte[]> options = new CacheOptions<>();
    options.setTypes(Integer.class, byte[].class);
    options.mode(mode).durability(Durability.BACKGROUND).valueMarshaller(new Plain());
    cache =
        provider
            .getCacheManager(null, null, properties)
            .createCache("texts", options)
            .unwrap(VarveCache.class);
    job =
        MapReduce.<CacheEntry<Integer, byte[]>, String, Long>map(
                (entry, out) -> SCANS.get().scan(entry.valueBytes(), word -> out.emit(word, 1L)))
            .combine(Long::sum)
            .spillDirectory(directory.resolve("spill"));
  }

  /// Bytes as they are.
  private static final class Plain implements Marshaller<byte[]> {
    @Override
    public byte[] toBytes(byte[] object) {
      return object.clone();
    }

    @Override
    public byte[] fromBytes(byte[] bytes) {
      return bytes.clone();
    }
  }

  @Override
  public void put(int number, byte[] text) {
    cache.put(number, text);
  }

  @Override
  public Map<String, Long> countWords() {
    return job.run(cache.stream());
  }

  @Override
  public long countWordsSparingly() {
    return job.budgetBytes(LEAST_BUDGET_BYTES).run(cache.stream(), Stream::count);
  }

  @Override
  public void close() {
    provider.close();
  }
}
