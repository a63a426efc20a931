package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.test.KilledStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.SplittableRandom;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Entries that move between heap and pages while a thread walks over them.
@Timeout(120)
class OverflowTest {
  private static final int ENTRIES = 300;

  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private static CacheOptions<Integer, String> options() {
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    return options.mode(StorageMode.OVERFLOW).heapEntriesMax(40).durability(Durability.BACKGROUND);
  }

  @SuppressWarnings("unchecked") // made with these types
  private VarveCache<Integer, String> create(CacheOptions<Integer, String> options) {
    return provider.getCacheManager().createCache("c", options).unwrap(VarveCache.class);
  }

  private static void fill(Cache<Integer, String> cache) {
    for (int i = 0; i < ENTRIES; i++) {
      cache.put(i, "v" + i);
    }
  }

  /// Puts entries that are there, each of which leaves its page if it has one, and sends another
  /// there.
  private static void stir(Cache<Integer, String> cache, SplittableRandom random) {
    for (int i = 0; i < 5; i++) {
      int key = random.nextInt(ENTRIES);
      cache.put(key, "w" + key);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void aWalkMeetsEachEntryOnceHoweverItMoves(int segments) {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 20; round++) {
      VarveCache<Integer, String> cache = create(options().segments(segments));
      fill(cache);
      Set<Integer> met = new HashSet<>();
      for (Iterator<Cache.Entry<Integer, String>> walk = cache.iterator(); walk.hasNext(); ) {
        assertThat(met.add(walk.next().getKey())).isTrue();
        stir(cache, random);
      }
      assertThat(met).hasSize(ENTRIES);

      met.clear();
      for (int segment = 0; segment < segments; segment++) {
        Iterator<Cache.Entry<Integer, String>> walk = cache.segment(segment);
        while (walk.hasNext()) {
          int key = walk.next().getKey();
          assertThat(cache.segmentOf(key)).isEqualTo(segment);
          assertThat(met.add(key)).isTrue();
          stir(cache, random);
        }
      }
      assertThat(met).hasSize(ENTRIES);
      assertThat(cache.size()).isEqualTo(ENTRIES);
      cache.getCacheManager().destroyCache("c");
    }
  }

  /// Keeps entries moving while keys are read from pages, but adds none.
  private static final class StirringKeys implements Marshaller<Integer> {
    private final Marshaller<Integer> numbers =
        Marshallers.ofKeys(Integer.class, OverflowTest.class.getClassLoader());
    private final SplittableRandom random = new SplittableRandom(13);
    private @Nullable Cache<Integer, String> cache; // null while it does not stir

    @Override
    public byte[] toBytes(Integer object) {
      return numbers.toBytes(object);
    }

    @Override
    public Integer fromBytes(byte[] bytes) {
      Cache<Integer, String> stirred = cache;
      cache = null;
      for (int i = 0; stirred != null && i < 5; i++) {
        int key = random.nextInt(ENTRIES);
        stirred.replace(key, "w" + key);
      }
      cache = stirred;
      return numbers.fromBytes(bytes);
    }
  }

  @Test
  void removeAllRemovesAllHoweverTheyMove() {
    StirringKeys keys = new StirringKeys();
    VarveCache<Integer, String> cache = create(options().keyMarshaller(keys));
    for (int round = 0; round < 5; round++) {
      fill(cache);
      keys.cache = cache;
      cache.removeAll();
      keys.cache = null;
      assertThat(cache.size()).isZero();
      assertThat(cache).isEmpty();
    }
  }

  @Test
  void aForcedChangeSurvivesThoughItIsReadAfterwards() throws Exception {
    CacheManager manager = provider.getCacheManager(directory.resolve("store").toUri(), null);
    VarveCache<Integer, String> cache = varve(manager.createCache("c", options()));
    VarveCache<Integer, String> forced = cache.with(Flag.FORCE_SYNCHRONOUS);
    cache.put(2, "removed");
    forced.put(1, "forced");
    forced.remove(2);
    cache.put(3, "on the heap");
    for (int i = 0; i < 3; i++) {
      assertThat(cache.get(1)).isEqualTo("forced");
    }
    assertThat(cache.size()).isEqualTo(2);
    Path copy = directory.resolve("copy");
    KilledStore.copy(directory.resolve("store"), copy);
    CacheManager afterwards = provider.getCacheManager(copy.toUri(), null);
    Cache<Integer, String> found = afterwards.createCache("c", options());
    assertThat(found.get(1)).isEqualTo("forced");
    assertThat(found.get(2)).isNull();
    assertThat(found.get(3)).isNull();
  }

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<Integer, String> varve(Cache<Integer, String> cache) {
    return cache.unwrap(VarveCache.class);
  }

  /// Entries that are evicted and cannot be written are lost, and counted.
  @Test
  void entriesThatCannotBeStoredCountAsEvictions() throws Exception {
    CacheOptions<Integer, String> options =
        options()
            .valueMarshaller(
                new Marshaller<>() {
                  @Override
                  public byte[] toBytes(String object) {
                    throw new CacheException("cannot be written");
                  }

                  @Override
                  public String fromBytes(byte[] bytes) {
                    throw new CacheException("cannot be read");
                  }
                });
    options.setStatisticsEnabled(true);
    VarveCache<Integer, String> cache = create(options);
    fill(cache);
    int found = 0;
    for (int i = 0; i < ENTRIES; i++) {
      found += cache.containsKey(i) ? 1 : 0;
    }
    assertThat(found).isBetween(1, ENTRIES - 1);
    assertThat(cache.size()).isEqualTo(found);
    ObjectName name =
        new ObjectName("javax.cache:type=CacheStatistics,CacheManager=varve.default,Cache=c");
    assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(name, "CacheEvictions"))
        .isEqualTo((long) ENTRIES - found);
  }
}
