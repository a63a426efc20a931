package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Caches that a file describes: each option, and what is said of a file that cannot be used.
class CacheFileTest {
  private static final Queue<String> HEARD = new ConcurrentLinkedQueue<>();

  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
    HEARD.clear();
  }

  /// Loads the key in capitals.
  static final class Capitals implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      return key.toUpperCase(java.util.Locale.ROOT);
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      return Map.of();
    }
  }

  /// Hears of what is written.
  static final class Hearing implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      HEARD.add("written " + entry.getKey());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      HEARD.add("deleted " + key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
      keys.clear();
    }
  }

  /// Hears of what is created.
  static final class Created implements CacheEntryCreatedListener<String, String> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      events.forEach(event -> HEARD.add("created " + event.getKey()));
    }
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("caches.yaml"), text);
  }

  private CacheManager open(String text) throws IOException {
    return provider.getCacheManager(file(text).toUri(), null);
  }

  @SuppressWarnings("unchecked") // the tests know their types
  private static CacheOptions<String, String> options(CacheManager manager, String name) {
    return manager.<String, String>getCache(name).getConfiguration(CacheOptions.class);
  }

  @SuppressWarnings("unchecked") // the tests know their types
  private static VarveCache<String, String> cache(CacheManager manager, String name) {
    return manager.<String, String>getCache(name).unwrap(VarveCache.class);
  }

  @Test
  void eachOptionIsRead() throws Exception {
    CacheManager manager =
        open(
            """
            directory: store
            page-cache: 16MB
            off-heap: 1048576
            page-size: 4KB
            defaults:
              durability: background
              statistics: true
              heap-entries: 5000
            caches:
              books:
                key-type: java.lang.String
                value-type: java.lang.Integer
                mode: overflow
                durability: process-crash
                segments: 16
                heap-size: 8MB
                ttl: 30m
                statistics: false
                management: true
              plain:
              sessions:
                mode: pages
                idle: PT45S
              forever:
                mode: heap
                store-by-value: false
                expiry: javax.cache.expiry.EternalExpiryPolicy
              sourced:
                loader: io.varve.cache.CacheFileTest$Capitals
                writer: io.varve.cache.CacheFileTest$Hearing
                listeners:
                  - class: io.varve.cache.CacheFileTest$Created
                    synchronous: true
                    old-value: true
              later:
                mode: heap
                heap-full: refuse
                writer: io.varve.cache.CacheFileTest$Hearing
                write-behind:
                  waiting-max: 100
                  refuse-when-full: true
                  batch-max: 10
                  delay: 5s
                  retry-min: 1ms
                  retry-max: 2s
                  attempts-max: 3
              unread:
                loader: io.varve.cache.CacheFileTest$Capitals
                read-through: false
            """);
    assertThat(manager.getCacheNames())
        .containsExactlyInAnyOrder(
            "books", "plain", "sessions", "forever", "sourced", "later", "unread");
    assertThat(directory.resolve("store")).isDirectory();
    assertThat(manager.getProperties())
        .containsEntry(VarveCachingProvider.CACHE_BYTES, "16777216")
        .containsEntry(VarveCachingProvider.OFF_HEAP_BYTES, "1048576")
        .containsEntry(VarveCachingProvider.PAGE_BYTES, "4096");

    CacheOptions<String, String> books = options(manager, "books");
    assertThat(books.getKeyType()).isEqualTo(String.class);
    assertThat(books.getValueType()).isEqualTo(Integer.class);
    assertThat(books.mode()).isEqualTo(StorageMode.OVERFLOW);
    assertThat(books.durability()).isEqualTo(Durability.PROCESS_CRASH);
    assertThat(books.segments()).isEqualTo(16);
    assertThat(books.heapBytesMax()).isEqualTo(8 << 20);
    assertThat(books.heapEntriesMax()).isZero();
    assertThat(books.isStatisticsEnabled()).isFalse();
    assertThat(books.isManagementEnabled()).isTrue();

    CacheOptions<String, String> plain = options(manager, "plain");
    assertThat(plain.mode()).isEqualTo(StorageMode.TIERED); // there is a directory
    assertThat(plain.durability()).isEqualTo(Durability.BACKGROUND);
    assertThat(plain.heapEntriesMax()).isEqualTo(5000);
    assertThat(plain.isStatisticsEnabled()).isTrue();

    Instant before = Instant.now();
    VarveCache<String, String> sessions = cache(manager, "sessions");
    sessions.put("a", "1");
    assertThat(sessions.expiresAt("a").orElseThrow())
        .isBetween(before.plusSeconds(44), Instant.now().plusSeconds(46));
    VarveCache<String, String> forever = cache(manager, "forever");
    forever.put("a", "1");
    assertThat(forever.expiresAt("a")).contains(Instant.MAX);
    assertThat(options(manager, "forever").isStoreByValue()).isFalse();
    assertThat(options(manager, "forever").getExpiryPolicyFactory().create())
        .isInstanceOf(EternalExpiryPolicy.class);

    VarveCache<String, String> sourced = cache(manager, "sourced");
    assertThat(sourced.get("a")).isEqualTo("A");
    sourced.put("b", "1");
    sourced.remove("b");
    assertThat(HEARD).containsExactly("created a", "written b", "created b", "deleted b");
    assertThat(cache(manager, "unread").get("a")).isNull();

    CacheOptions<String, String> later = options(manager, "later");
    assertThat(later.heapFull()).isEqualTo(HeapFull.REFUSE);
    assertThat(later.writeBehind())
        .isEqualTo(
            new WriteBehind(
                100,
                true,
                10,
                Duration.ofSeconds(5),
                new WriteBehind.Retry(Duration.ofMillis(1), Duration.ofSeconds(2), 3)));
  }

  /// What the file describes is there again, also by another name of the file.
  @Test
  void entriesAreFoundAgain() throws Exception {
    Path file = file("directory: store\ncaches:\n  books:\n    key-type: java.lang.String\n");
    try (CacheManager manager = provider.getCacheManager(file.toUri(), null)) {
      manager.getCache("books", String.class, Object.class).put("a", "1");
    }
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.CONFIGURATION, file.toString());
    CacheManager manager = provider.getCacheManager(null, null, properties);
    assertThat(manager.getCache("books").get("a")).isEqualTo("1");
    manager.createCache("more", new CacheOptions<>()); // a program may add caches
    assertThatThrownBy(() -> manager.createCache("books", new CacheOptions<>()))
        .isInstanceOf(CacheException.class);
  }

  /// A resource of the class path is named by a URI of its own, and a program goes before the file.
  @Test
  void theClassPathHasFilesToo() {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.PAGE_BYTES, "8192");
    CacheManager manager =
        provider.getCacheManager(
            URI.create("classpath:io/varve/cache/caches.yaml"), null, properties);
    assertThat(options(manager, "books").heapEntriesMax()).isEqualTo(10);
    assertThat(manager.getProperties()).containsEntry(VarveCachingProvider.PAGE_BYTES, "8192");
  }

  /// Spring passes `file:caches.yaml` on as it is: such a URI has no path, and was refused as not
  /// hierarchical.
  @Test
  void aUriMayBeRelativeToWhereTheProgramRuns() throws Exception {
    Path file =
        Path.of("").toAbsolutePath().relativize(file("caches:\n  a:\n    heap-entries: 7\n"));
    URI uri = URI.create("file:" + file.toString().replace('\\', '/'));
    Properties named = new Properties();
    named.setProperty(VarveCachingProvider.CONFIGURATION, uri.toString());
    CacheManager manager = provider.getCacheManager(uri, null);
    assertThat(options(manager, "a").heapEntriesMax()).isEqualTo(7);
    assertThat(manager.getURI()).isEqualTo(uri);
    assertThat(provider.getCacheManager(null, null, named).getCacheNames()).containsExactly("a");
  }

  /// Where the fault is, by line and option, and what to write there.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "caches:\\n a:\\n  mode: tierd | line=3, option=caches.a.mode, value=tierd; write one of heap, tiered",
        "caches:\\n a:\\n  mod: heap | line=3, option=caches.a.mod, value=heap; there is no such option here",
        "cache:\\n a: | line=2, option=cache, value=mapping; there is no such option here; there are caches",
        "caches:\\n a:\\n  segments: 0 | line=3, option=caches.a.segments, value=0; write a number above 0",
        "caches:\\n a:\\n  segments: 40000 | option=caches.a.segments, value=40000; write a number from 1 to",
        "caches:\\n a:\\n  heap-size: 8 apples | option=caches.a.heap-size, value=8 apples; write a number of",
        "caches:\\n a:\\n  heap-size: 9999999999TB | line=3, option=caches.a.heap-size, value=9999999999TB",
        "caches:\\n a:\\n  heap-size: 8MB\\n  heap-entries: 1 | line=3, option=caches.a.heap-size, value=8MB; there",
        "caches:\\n a:\\n  ttl: soon | line=3, option=caches.a.ttl, value=soon; write a time above 0, such as",
        "caches:\\n a:\\n  ttl: 0s | line=3, option=caches.a.ttl, value=0s; write a time above 0",
        "caches:\\n a:\\n  ttl: 1s\\n  idle: 2s | line=4, option=caches.a.idle, value=2s; there is ttl, too",
        "caches:\\n a:\\n  statistics: maybe | line=3, option=caches.a.statistics, value=maybe; write true or",
        "caches:\\n a:\\n  key-type: no.such.Class | value=no.such.Class; write the full name of a class",
        "caches:\\n a:\\n  loader: java.lang.String | value=java.lang.String; name a class that implements",
        "caches:\\n a:\\n  expiry: javax.cache.expiry.CreatedExpiryPolicy | give the class a constructor without",
        "caches:\\n a:\\n  mode: heap\\n  mode: pages | line=4, option=caches.a.mode, value=mode; the option is",
        "caches:\\n a:\\n  mode:\\n | line=3, option=caches.a.mode, value=; write one value after the colon",
        "caches:\\n a: 7 | line=2, option=caches.a, value=7; write options below it",
        "caches:\\n a:\\n  listeners: java.lang.String | write a list",
        "caches:\\n a:\\n  listeners:\\n  - synchronous: true | line=4, option=caches.a.listeners, value=mapping; name",
        "caches:\\n a:\\n  write-behind:\\n   retry-min: 9m | option=caches.a.write-behind, value=mapping; let",
        "caches:\\n a:\\n  write-behind:\\n   batch: 9 | option=caches.a.write-behind.batch, value=9; there is no",
        "caches:\\n a:\\n  ttl: 9223372036854775807s | line=3, option=caches.a.ttl, value=9223372036854775807s; write",
        "caches:\\n a:\\n  durability: none | value=none; write one of power-loss, process-crash, background",
        "caches:\\n a:\\n  read-through: true | line=3, option=caches.a.read-through, value=true; there is no loader",
        "caches:\\n a:\\n  write-through: true | line=3, option=caches.a.write-through, value=true; there is no writer",
        "caches:\\n a:\\n  write-behind:\\n   delay: 1s | option=caches.a.write-behind, value=mapping; there is no writer",
        "caches:\\n a:\\n  listeners: [{class: io.varve.cache.CacheFileTest$Created}, {class: io.varve.cache.CacheFileTest$Created}] | value=io.varve.cache.CacheFileTest$Created; the listener is there twice",
        "directory: ''\\n | line=1, option=directory, value=; write a path; that of the directory of this file is a dot",
        "directory: ${user.home}/x\\n | value=${user.home}/x; write a path: variables, ~ and URIs are none",
        "directory: ~/x\\n | value=~/x; write a path: variables, ~ and URIs are none",
        "directory: file:///tmp/x\\n | value=file:///tmp/x; write a path: variables, ~ and URIs are none",
        "directory: \"a\\0b\"\\n | line=1, option=directory, value=a",
        "page-cache: 1KB\\n | line=1, option=page-cache, value=1KB; no store can have that: cacheBytes out of range",
        "off-heap: 1KB\\n | line=1, option=off-heap, value=1KB; no store can have that",
        "page-size: 64KB\\n | line=1, option=page-size, value=64KB; no store can have that: pageBytes out of range",
        "page-size: 5GB\\n | line=1, option=page-size, value=5GB; no store can have that",
        "caches: a\u0001b | is no YAML: file=",
        "defaults:\\n  ttl: never | line=2, option=defaults.ttl, value=never",
        "caches: [a | is no YAML",
        "`` | is empty",
      })
  void faultsAreNamed(String text, String expected) throws IOException {
    Path file = file(text.replace("\\n", "\n"));
    assertThatThrownBy(() -> provider.getCacheManager(file.toUri(), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("file=" + file.toUri())
        .hasMessageContaining(expected);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    for (URI missing :
        new URI[] {directory.resolve("missing.yaml").toUri(), URI.create("classpath:no.yaml")}) {
      assertThatThrownBy(() -> provider.getCacheManager(missing, null))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cannot be read: file=" + missing);
    }
  }

  /// What defaults set of a writer is for the caches that have one.
  @Test
  void defaultsOfAWriterAreForCachesThatHaveOne() throws Exception {
    CacheManager manager =
        open(
            """
            defaults:
              write-behind:
                delay: 1s
            caches:
              plain:
              later:
                writer: io.varve.cache.CacheFileTest$Hearing
            """);
    cache(manager, "plain").put("a", "1");
    assertThat(options(manager, "later").isWriteThrough()).isTrue();
  }

  /// Names would have other characters, and the caches no entries, after a file was saved
  /// otherwise.
  @Test
  void anotherEncodingIsRefused() throws Exception {
    Path file = file("");
    for (Charset other : List.of(StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16)) {
      Files.writeString(file, "caches:\n  b\u00fccher:\n", other);
      assertThatThrownBy(() -> provider.getCacheManager(file.toUri(), null))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("is not in UTF-8: file=" + file.toUri());
    }
  }

  /// A directory is no file, and its list of names no YAML. An empty name is a variable without a
  /// value: the store would be where the program runs.
  @Test
  void pathsThatPropertiesNameAreChecked() {
    for (String[] each :
        new String[][] {
          {VarveCachingProvider.CONFIGURATION, directory.toString(), "cannot be read"},
          {VarveCachingProvider.CONFIGURATION, "", "is empty"},
          {VarveCachingProvider.CONFIGURATION, "file:///a b.yaml", "no file of caches"},
          {VarveCachingProvider.DIRECTORY, "", "is empty"},
          {VarveCachingProvider.DIRECTORY, "pom.xml/below", "cannot be used"},
        }) {
      Properties properties = new Properties();
      properties.setProperty(each[0], each[1]);
      assertThatThrownBy(
              () -> {
                CacheManager manager = provider.getCacheManager(null, null, properties);
                manager.createCache("a", new CacheOptions<>());
              })
          .isInstanceOf(CacheException.class)
          .hasMessageContaining(each[2]);
    }
  }

  /// Each put of such a cache would fail.
  @Test
  void durabilityNoneInADirectoryIsRefused() {
    CacheManager manager = provider.getCacheManager(directory.toUri(), null);
    assertThatThrownBy(
            () -> manager.createCache("a", new CacheOptions<>().durability(Durability.NONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cache=a")
        .hasMessageContaining("choose BACKGROUND");
    manager
        .createCache("b", new CacheOptions<>().mode(StorageMode.HEAP).durability(Durability.NONE))
        .put("a", "1");
  }

  /// A cache that cannot be opened leaves no manager half open: the next call tries again.
  @Test
  void afterARefusalTheManagerIsMadeAgain() throws Exception {
    Path file = file("caches:\n  a:\n    mode: pages\n    store-by-value: false\n");
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> provider.getCacheManager(file.toUri(), null))
          .isInstanceOf(UnsupportedOperationException.class);
    }
    file("caches:\n  a:\n    mode: heap\n    ttl: 1h\n");
    VarveCache<String, String> cache = cache(provider.getCacheManager(file.toUri(), null), "a");
    cache.put("a", "1");
    Optional<Instant> end = cache.expiresAt("a");
    assertThat(end.orElseThrow()).isBefore(Instant.now().plus(Duration.ofHours(1)).plusMillis(1));
  }
}
