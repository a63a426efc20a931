package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.cache.mapreduce.Job;
import io.varve.cache.mapreduce.MapReduce;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examples of the guide to caches, word for word.
class CacheGuideTest {
  private static final Path CDI = Path.of("../varve-cdi/src/test/java/io/varve/cdi");
  private static final Path GUIDE = Path.of("../docs/CACHE.md");

  @TempDir Path directory;

  @Test
  void firstExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Cache<String, Integer> stock =
        manager.createCache(
            "stock",
            new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class));
    stock.put("apples", 10);
    assertThat(stock.get("apples")).isEqualTo(10);
    manager.close();
  }

  /// The file of the guide, and what it sets.
  @Test
  void fileExample() throws Exception {
    String guide = Files.readString(GUIDE);
    int start =
        guide.indexOf("```yaml\n", guide.indexOf("## Caches in a file")) + "```yaml\n".length();
    Path file = directory.resolve("caches.yaml");
    Files.writeString(file, guide.substring(start, guide.indexOf("```", start)));
    CacheManager manager =
        Caching.getCachingProvider().getCacheManager(file.toUri(), null); // file:///…/caches.yaml
    Cache<String, String> books = manager.getCache("books", String.class, String.class);
    books.put("a", "1");
    manager.close();

    manager = Caching.getCachingProvider().getCacheManager(file.toUri(), null);
    assertThat(manager.getCache("books", String.class, String.class).get("a")).isEqualTo("1");
    assertThat(manager.getCacheNames()).containsExactlyInAnyOrder("books", "sessions");
    manager.close();
  }

  @Test
  void writeBehindExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Map<String, String> rows = new ConcurrentHashMap<>();
    CacheWriter<String, String> writer = new MapWriter<>(rows);
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setWriteThrough(true);
    options.setCacheWriterFactory(() -> writer);
    options.writeBehind(
        WriteBehind.defaults()
            .batchMax(500) // keys of one call of the writer
            .delay(java.time.Duration.ofSeconds(1)) // how long a change waits for others
            .waitingMax(10_000) // then threads wait, too
            .retry(java.time.Duration.ofMillis(100), java.time.Duration.ofSeconds(30)));
    Cache<String, String> cache = manager.createCache("c", options);
    cache.put("a", "1");
    cache.put("a", "2");
    manager.close();
    assertThat(rows).isEqualTo(Map.of("a", "2"));
  }

  @Test
  void durableExample() {
    CacheManager manager =
        Caching.getCachingProvider().getCacheManager(directory.toUri(), null); // file:///…
    CacheOptions<String, String> options =
        new CacheOptions<String, String>()
            .mode(StorageMode.TIERED) // all in pages, the hot ones on the heap, too
            .durability(Durability.BACKGROUND) // a loss of power takes the last 200 ms
            .heapEntriesMax(100_000);
    options.setTypes(String.class, String.class);
    options.setExpiryPolicyFactory(
        TouchedExpiryPolicy.factoryOf(new Duration(TimeUnit.MINUTES, 30)));
    Cache<String, String> sessions = manager.createCache("sessions", options);

    sessions.put("4711", "basket");
    manager.close(); // or a kill, or loss of power

    manager = Caching.getCachingProvider().getCacheManager(directory.toUri(), null);
    sessions = manager.createCache("sessions", options);
    assertThat(sessions.get("4711")).isEqualTo("basket");
    manager.close();
  }

  @Test
  @SuppressWarnings("unchecked") // made with these types
  void segmentExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Cache<String, String> cache = manager.createCache("c", new CacheOptions<String, String>());
    cache.put("a", "1");
    VarveCache<String, String> varve = cache.unwrap(VarveCache.class);
    long entries = varve.size(); // constant time
    Iterator<Cache.Entry<String, String>> some = varve.segment(varve.segmentOf("a"));
    assertThat(entries).isEqualTo(1);
    assertThat(some.next().getKey()).isEqualTo("a");
    manager.close();
  }

  @Test
  @SuppressWarnings("unchecked") // made with these types
  void timeToLiveExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Cache<String, String> cache = manager.createCache("c", new CacheOptions<String, String>());
    VarveCache<String, String> tokens = cache.unwrap(VarveCache.class);
    tokens.put("4711", "token", java.time.Duration.ofMinutes(5)); // no more, no less
    boolean first = tokens.putIfAbsent("nightly", "node 3", java.time.Duration.ofHours(1));
    Optional<Instant> end = tokens.expiresAt("4711"); // Instant.MAX: never

    VarveCache<String, String> brief =
        tokens.withExpiry(new ModifiedExpiryPolicy(new Duration(TimeUnit.SECONDS, 10)));
    brief.putAll(Map.of("a", "1", "b", "2")); // and all other calls, processors and loads too
    assertThat(first).isTrue();
    assertThat(end).isPresent().isNotEqualTo(Optional.of(Instant.MAX));
    assertThat(cache.get("a")).isEqualTo("1");
    manager.close();
  }

  @Test
  void listenerExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Cache<String, String> cache = manager.createCache("c", new CacheOptions<String, String>());
    MirrorListener<String, String> listener = new MirrorListener<>();
    cache.put("a", "1");
    cache.registerCacheEntryListener(
        new CacheListenerOptions<String, String>(() -> listener)
            .includeCurrentState(true) // first what is there already
            .coalesce(1000, java.time.Duration.ofMillis(100)) // then changes, by the batch
            .waitingKeysMax(50_000, WhenFull.WAIT));
    while (!listener.replayed.contains("a")) {
      Thread.onSpinWait();
    }
    manager.close();
  }

  @Test
  @SuppressWarnings({"unchecked", "UnusedVariable"}) // made with these types; shown in the guide
  void streamExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Cache<String, String> cache = manager.createCache("texts", new CacheOptions<String, String>());
    VarveCache<String, String> texts = cache.unwrap(VarveCache.class);
    texts.put("a", "red green blue");
    texts.put("b", "red");
    try (Stream<CacheEntry<String, String>> entries = texts.parallelStream()) {
      long longOnes = entries.filter(entry -> entry.getValue().length() > 1000).count();
    }
    manager.close();
  }

  @Test
  @SuppressWarnings("unchecked") // made with these types
  void mapReduceExample() {
    CacheManager manager = Caching.getCachingProvider().getCacheManager();
    Cache<String, String> cache = manager.createCache("texts", new CacheOptions<String, String>());
    VarveCache<String, String> texts = cache.unwrap(VarveCache.class);
    texts.put("a", "red green blue");
    texts.put("b", "red");
    MapReduce<CacheEntry<String, String>, String, Long, Long> words =
        MapReduce.<CacheEntry<String, String>, String, Long>map(
                (entry, out) -> {
                  for (String word : entry.getValue().split("\\W+")) {
                    out.emit(word, 1L);
                  }
                })
            .combine(Long::sum);

    Map<String, Long> counts = words.run(texts.stream()); // on all cores

    Job<List<String>> common =
        words.start(
            texts.stream(),
            results ->
                results.filter(result -> result.getValue() > 1).map(Map.Entry::getKey).toList());
    double share = common.progress().share(); // while it runs; cancel() ends it
    List<String> twice = common.join();
    assertThat(counts).isEqualTo(Map.of("red", 2L, "green", 1L, "blue", 1L));
    assertThat(share).isBetween(0.0, 1.0);
    assertThat(twice).containsExactly("red");
    manager.close();
  }

  /// Guards against a guide whose examples do not compile.
  @Test
  void theGuideShowsWhatRunsHere() throws Exception {
    String guide = Files.readString(GUIDE);
    Path tests = Path.of("src/test/java/io/varve/cache");
    Path starter = Path.of("../varve-spring-boot-starter/src/test/java/io/varve/spring");
    String code =
        (Files.readString(tests.resolve("CacheGuideTest.java"))
                + Files.readString(tests.resolve("EncryptedCachesTest.java"))
                + Files.readString(tests.resolve("SpringAnnotationsTest.java"))
                + Files.readString(tests.resolve("hibernate/Library.java"))
                + Files.readString(starter.resolve("guide/BookShop.java"))
                + Files.readString(starter.resolve("guide/Titles.java"))
                + Files.readString(CDI.resolve("guide/Bookshelf.java")))
            .replaceAll("\\s+", " ");
    int examples = 0;
    for (int at = guide.indexOf("```java"); at >= 0; at = guide.indexOf("```java", at + 1)) {
      String example = guide.substring(at + "```java".length(), guide.indexOf("```", at + 3));
      assertThat(code).contains(example.replaceAll("\\s+", " ").trim());
      examples++;
    }
    assertThat(examples).isEqualTo(15);
  }
}
