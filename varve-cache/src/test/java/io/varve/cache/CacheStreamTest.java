package io.varve.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.SpliteratorTester;
import io.varve.Durability;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Streams of caches in each storage mode, with a heap that is far too small next to pages.
@Timeout(240)
class CacheStreamTest {
  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private CacheManager manager() {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.toString());
    return provider.getCacheManager(null, null, properties);
  }

  private static CacheOptions<Integer, String> options(StorageMode mode) {
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    options.mode(mode).durability(Durability.BACKGROUND);
    return mode.hasPages() ? options.heapEntriesMax(50) : options;
  }

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<Integer, String> create(
      CacheManager manager, CacheOptions<Integer, String> options) {
    return manager.createCache("c", options).unwrap(VarveCache.class);
  }

  private VarveCache<Integer, String> filled(StorageMode mode, int count) {
    VarveCache<Integer, String> cache = create(manager(), options(mode));
    for (int i = 0; i < count; i++) {
      cache.put(i, "v" + i);
    }
    return cache;
  }

  private static Map<Integer, String> model(int count) {
    Map<Integer, String> model = new HashMap<>();
    for (int i = 0; i < count; i++) {
      model.put(i, "v" + i);
    }
    return model;
  }

  /// A stream that continues does not keep the values that it has made, which all together may be
  /// more than memory holds.
  @ParameterizedTest
  @EnumSource
  void valuesThatWereMetAreNotKept(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 100);
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      Spliterator<CacheEntry<Integer, String>> rest = stream.spliterator();
      List<WeakReference<CacheEntry<Integer, String>>> met = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        assertThat(
                rest.tryAdvance(entry -> {
                  assertThat(entry.getValue()).startsWith("v");
                  met.add(new WeakReference<>(entry));
                }))
            .isTrue();
      }
      for (int tries = 0; tries < 100 && met.stream().anyMatch(e -> e.get() != null); tries++) {
        System.gc();
      }
      assertThat(met).allMatch(entry -> entry.get() == null);
      int[] left = {0};
      rest.forEachRemaining(_ -> left[0]++);
      assertThat(left[0]).isEqualTo(70);
    }
  }

  /// Splits between advances, of parts on the heap and of parts in pages.
  @ParameterizedTest
  @EnumSource
  void splitsBetweenAdvancesMeetEachEntryOnce(StorageMode mode) {
    Random random = new Random(5);
    VarveCache<Integer, String> cache = filled(mode, 2500);
    for (int round = 0; round < 5; round++) {
      try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
        Map<Integer, String> met = new HashMap<>();
        meet(stream.spliterator(), met, random);
        assertThat(met).as("seed=5, round=" + round).isEqualTo(model(2500));
      }
    }
  }

  private static void meet(
      Spliterator<CacheEntry<Integer, String>> rest, Map<Integer, String> met, Random random) {
    while (rest.tryAdvance(
        entry -> assertThat(met.put(entry.getKey(), entry.getValue())).isNull())) {
      if (random.nextInt(3) > 0) {
        Spliterator<CacheEntry<Integer, String>> prefix = rest.trySplit();
        if (prefix != null) {
          meet(prefix, met, random);
        }
      }
    }
  }

  /// The entries that a stream gives, each once.
  private static Map<Integer, String> met(Stream<CacheEntry<Integer, String>> stream) {
    try (stream) {
      return stream.collect(Collectors.toMap(Cache.Entry::getKey, Cache.Entry::getValue));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyEntryIsMetOnce(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 3000);
    assertThat(met(cache.stream())).isEqualTo(model(3000));
    assertThat(met(cache.parallelStream())).isEqualTo(model(3000));
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      assertThat(stream.spliterator().estimateSize()).isEqualTo(cache.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theContractOfSpliteratorsHolds(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 700);
    List<Stream<?>> streams = new ArrayList<>();
    SpliteratorTester.of(
            () -> {
              Stream<Integer> keys = cache.stream().map(Cache.Entry::getKey).parallel();
              streams.add(keys);
              return keys.spliterator();
            })
        .expect(model(700).keySet());
    streams.forEach(Stream::close);
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      assertThat(stream.spliterator().characteristics())
          .isEqualTo(Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.IMMUTABLE);
    }
  }

  /// One segment is one part, which is cut by the pages of its tree.
  @ParameterizedTest
  @EnumSource
  void aCacheOfOneSegmentIsCutAsWell(StorageMode mode) {
    VarveCache<Integer, String> cache = create(manager(), options(mode).segments(1));
    for (int i = 0; i < 3000; i++) {
      cache.put(i, "v" + i);
    }
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      Spliterator<CacheEntry<Integer, String>> rest = stream.spliterator();
      List<Spliterator<CacheEntry<Integer, String>>> parts = new ArrayList<>(List.of(rest));
      for (int cut = 0; cut < 3; cut++) {
        for (Spliterator<CacheEntry<Integer, String>> part : List.copyOf(parts)) {
          Spliterator<CacheEntry<Integer, String>> other = part.trySplit();
          if (other != null) {
            parts.add(other);
          }
        }
      }
      assertThat(parts).hasSizeGreaterThan(3);
      Map<Integer, String> met = new HashMap<>();
      for (Spliterator<CacheEntry<Integer, String>> part : parts) {
        part.forEachRemaining(
            entry -> assertThat(met.put(entry.getKey(), entry.getValue())).isNull());
      }
      assertThat(met).isEqualTo(model(3000));
    }
  }

  @ParameterizedTest
  @EnumSource
  void segmentsAreChosen(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 2000);
    Set<Integer> chosen = Set.of(3, 77, 200);
    Map<Integer, String> expected = model(2000);
    expected.keySet().removeIf(key -> !chosen.contains(cache.segmentOf(key)));
    assertThat(expected).isNotEmpty();
    assertThat(met(cache.stream(chosen))).isEqualTo(expected);
    assertThat(met(cache.parallelStream(chosen))).isEqualTo(expected);
    assertThat(met(cache.stream(Set.of()))).isEmpty();
    Map<Integer, String> all = new HashMap<>();
    IntStream.range(0, cache.segments())
        .forEach(segment -> all.putAll(met(cache.stream(Set.of(segment)))));
    assertThat(all).isEqualTo(model(2000));
    assertThatThrownBy(() -> cache.stream(Set.of(cache.segments())))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @EnumSource
  void laterChangesAreNotSeen(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 1000);
    try (Stream<CacheEntry<Integer, String>> whole = cache.stream();
        Stream<CacheEntry<Integer, String>> cleared = cache.parallelStream()) {
      for (int i = 0; i < 1000; i++) {
        if (i % 2 == 0) {
          cache.remove(i);
        } else {
          cache.put(i, "changed");
        }
        cache.put(1000 + i, "new");
      }
      assertThat(met(whole)).isEqualTo(model(1000));
      cache.clear();
      assertThat(met(cleared)).isEqualTo(model(1000));
    }
    assertThat(met(cache.stream())).isEmpty();
  }

  /// Entries that no thread changes, but that move between heap and pages all the time since others
  /// are read, are in each stream once.
  @ParameterizedTest
  @EnumSource
  void entriesThatMoveAreMetOnce(StorageMode mode) throws Exception {
    int count = 400;
    VarveCache<Integer, String> cache = filled(mode, count);
    AtomicBoolean done = new AtomicBoolean();
    Thread mover =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; !done.get(); i = (i + 7) % count) {
                cache.get(i);
                cache.put(count + i, "other");
                cache.put(i, "v" + i);
                cache.remove(count + i);
              }
            });
    try {
      for (int round = 0; round < 60; round++) {
        Map<Integer, String> met = met(cache.parallelStream());
        met.keySet().removeIf(key -> key >= count);
        assertThat(met).isEqualTo(model(count));
      }
    } finally {
      done.set(true);
      mover.join();
    }
  }

  /// A pair of entries that is changed by two puts, one after the other, is never seen the other
  /// way round: a stream shows one point.
  @ParameterizedTest
  @EnumSource
  void aStreamShowsOnePoint(StorageMode mode) throws Exception {
    VarveCache<Integer, String> cache = filled(mode, 300);
    AtomicBoolean done = new AtomicBoolean();
    cache.put(1, "0");
    cache.put(2, "0");
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 1; !done.get(); i++) {
                cache.put(1, "" + i);
                cache.put(2, "" + i);
              }
            });
    try {
      for (int round = 0; round < 60; round++) {
        Map<Integer, String> met = met(cache.stream());
        int first = Integer.parseInt(met.get(1));
        int second = Integer.parseInt(met.get(2));
        assertThat(first - second).isBetween(0, 1);
      }
    } finally {
      done.set(true);
      writer.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void expiredEntriesAreLeftOut(StorageMode mode) {
    TestClock clock = new TestClock();
    try (CacheManager manager = clock.manager(mode.hasPages() ? directory : null)) {
      CacheOptions<Integer, String> options = options(mode);
      options.setExpiryPolicyFactory(
          CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.HOURS, 2)));
      VarveCache<Integer, String> cache = create(manager, options);
      for (int i = 0; i < 200; i++) {
        cache.put(i, "old");
      }
      clock.move(Duration.ofHours(1));
      for (int i = 200; i < 300; i++) {
        cache.put(i, "young");
      }
      try (Stream<CacheEntry<Integer, String>> before = cache.stream()) {
        clock.move(Duration.ofHours(1));
        assertThat(met(cache.stream()).keySet())
            .isEqualTo(IntStream.range(200, 300).boxed().collect(Collectors.toSet()));
        assertThat(before.count()).isEqualTo(300); // as of the time at which it was asked for
      }
    }
  }

  /// Values become objects when they are asked for, by the caller that asks, and once.
  @ParameterizedTest
  @EnumSource(names = {"PAGES", "TIERED"})
  void valuesAreMadeLazily(StorageMode mode) {
    AtomicInteger reads = new AtomicInteger();
    Marshaller<String> strings = Marshallers.ofType(String.class, getClass().getClassLoader());
    CacheOptions<Integer, String> options =
        options(mode)
            .valueMarshaller(
                new Marshaller<>() {
                  @Override
                  public byte[] toBytes(String object) {
                    return strings.toBytes(object);
                  }

                  @Override
                  public String fromBytes(byte[] bytes) {
                    reads.incrementAndGet();
                    return strings.fromBytes(bytes);
                  }
                });
    VarveCache<Integer, String> cache = create(manager(), options);
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v" + i);
    }
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      List<CacheEntry<Integer, String>> odd =
          stream.filter(entry -> entry.getKey() % 2 == 1).toList();
      assertThat(reads).hasValue(0);
      odd.forEach(entry -> assertThat(entry.getValue()).isEqualTo("v" + entry.getKey()));
      odd.forEach(CacheEntry::getValue);
      assertThat(reads).hasValue(50);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesOfValuesAreShownReadOnly(StorageMode mode) {
    Marshaller<String> plain =
        new Marshaller<>() {
          @Override
          public byte[] toBytes(String object) {
            return object.getBytes(UTF_8);
          }

          @Override
          public String fromBytes(byte[] bytes) {
            return new String(bytes, UTF_8);
          }
        };
    VarveCache<Integer, String> cache = create(manager(), options(mode).valueMarshaller(plain));
    String large = "large".repeat(2000);
    cache.put(1, "one");
    cache.put(2, large);
    Map<Integer, String> met = new HashMap<>();
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      stream.forEach(entry -> {
        assertThat(entry.valueBytes().isReadOnly()).isTrue();
        assertThat(entry.bytes()).isGreaterThanOrEqualTo(entry.valueBytes().byteSize());
        met.put(
            entry.getKey(), new String(entry.valueBytes().toArray(ValueLayout.JAVA_BYTE), UTF_8));
      });
    }
    assertThat(met).isEqualTo(Map.of(1, "one", 2, large));
  }

  /// What is stored by reference is given by reference, and marshalled only for its bytes.
  @Test
  void objectsByReferenceAreGivenThemselves() {
    CacheOptions<Integer, Object> options = new CacheOptions<>();
    options.setTypes(Integer.class, Object.class).setStoreByValue(false);
    Cache<Integer, Object> cache = manager().createCache("r", options.mode(StorageMode.HEAP));
    List<String> value = new ArrayList<>(List.of("a"));
    cache.put(1, value);
    @SuppressWarnings("unchecked") // made with these types
    VarveCache<Integer, Object> varve = cache.unwrap(VarveCache.class);
    try (Stream<CacheEntry<Integer, Object>> stream = varve.stream()) {
      CacheEntry<Integer, Object> entry = stream.findFirst().orElseThrow();
      assertThat(entry.getValue()).isSameAs(value);
      assertThat(entry.bytes()).isEqualTo(16);
      assertThat(entry.valueBytes().byteSize()).isPositive();
      assertThat(entry.unwrap(CacheEntry.class)).isSameAs(entry);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedCacheHasNoStream(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 100);
    VarveCache<Integer, String> silent = cache.with(Flag.FAIL_SILENTLY);
    Stream<CacheEntry<Integer, String>> begun = cache.stream();
    Spliterator<CacheEntry<Integer, String>> rest = begun.spliterator();
    assertThat(rest.tryAdvance(_ -> {})).isTrue();
    assertThat(met(silent.stream())).hasSize(100);
    cache.close();
    assertThatThrownBy(() -> rest.tryAdvance(_ -> {})).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(cache::stream).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.stream(Set.of(1))).isInstanceOf(IllegalStateException.class);
    begun.close();
  }

  /// The entries of a stream hold all that they show.
  @ParameterizedTest
  @EnumSource
  void entriesOutliveTheirStream(StorageMode mode) {
    VarveCache<Integer, String> cache = filled(mode, 100);
    List<CacheEntry<Integer, String>> entries;
    try (Stream<CacheEntry<Integer, String>> stream = cache.stream()) {
      entries = stream.toList();
    }
    assertThat(entries).hasSize(100);
    cache.clear();
    cache.close();
    Map<Integer, String> met = new HashMap<>();
    entries.forEach(entry -> met.put(entry.getKey(), entry.getValue()));
    assertThat(met).isEqualTo(model(100));
  }
}
