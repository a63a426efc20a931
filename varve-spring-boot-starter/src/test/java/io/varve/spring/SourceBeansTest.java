package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.CacheFullException;
import io.varve.cache.CacheOptions;
import io.varve.cache.HeapFull;
import io.varve.cache.WriteBehind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/// Caches that load from beans and write to beans, as properties name them.
class SourceBeansTest {
  private static final String LOADER = "--varve.caches.books.loader=database";
  private static final String WRITER = "--varve.caches.books.writer=database";

  @TempDir Path directory;

  private final Database database = new Database();

  private ConfigurableApplicationContext start(String... arguments) {
    Sources.database = database;
    return ShopMain.start(List.of(Shop.class, Sources.class), arguments);
  }

  private String caches() {
    return "--varve.directory=" + directory.resolve("caches");
  }

  @Test
  void readsAskTheLoaderAndThenTheMethod() {
    database.rows.put("1", "one");
    database.rows.put("2", "two");
    try (var context = start(caches(), LOADER)) {
      Books books = context.getBean(Books.class);
      for (int round = 0; round < 2; round++) {
        assertThat(books.title("1")).isEqualTo("one");
        assertThat(books.synchronous("2")).isEqualTo("two");
      }
      assertThat(books.calls()).isZero();
      assertThat(database.loads).isEqualTo(2);
      for (int round = 0; round < 2; round++) {
        assertThat(books.title("3")).isEqualTo("title of 3");
        assertThat(books.synchronous("4")).isEqualTo("title of 4");
      }
      assertThat(books.calls()).isEqualTo(2);
      assertThat(database.rows).containsOnlyKeys("1", "2");
      assertThatThrownBy(() -> books.synchronous("bad"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no such book");
    }
  }

  /// Guards against Spring's own object for null, which a writer would be given as a value.
  @Test
  void nullIsNeitherKeptNorWritten() {
    database.rows.put("none", "former");
    try (var context = start(LOADER, WRITER)) {
      Books books = context.getBean(Books.class);
      assertThat(books.title("none")).isEqualTo("former");
      assertThat(books.put("none", null)).isNull();
      assertThat(books.title("none")).as("loaded again").isEqualTo("former");
      database.rows.clear();
      books.forgetAll();
      assertThat(books.title("none")).isNull();
      assertThat(books.synchronous("none")).isNull();
      assertThat(books.calls()).isEqualTo(2);
      assertThat(database.rows).isEmpty();
    }
  }

  @Test
  void changesGoToTheWriterAndAClearedCacheDoesNot() {
    try (var context = start(WRITER)) {
      Books books = context.getBean(Books.class);
      books.put("1", "one");
      books.put("2", "two");
      assertThat(books.title("3")).isEqualTo("title of 3");
      assertThat(database.rows).isEqualTo(Map.of("1", "one", "2", "two", "3", "title of 3"));
      books.forget("3");
      books.forgetAll();
      books.forgetAllBefore();
      assertThat(database.rows).isEqualTo(Map.of("1", "one", "2", "two"));
      assertThat(books.title("1")).as("of a cache that is empty").isEqualTo("title of 1");
    }
  }

  /// The caches are closed before the beans that they write to, and close none of them.
  @Test
  void whatWaitsIsWrittenWhenTheApplicationEnds() {
    try (var context =
        start(
            caches(),
            WRITER,
            "--varve.caches.other.writer=database",
            "--varve.defaults.write-behind.delay=1h")) {
      Books books = context.getBean(Books.class);
      books.put("1", "former");
      books.put("1", "one");
      books.put("2", "two");
      assertThat(database.rows).isEmpty();
      context.getBean(javax.cache.CacheManager.class).getCache("other").close();
      assertThat(database.isClosed).isFalse();
    }
    assertThat(database.isClosed).isTrue();
    assertThat(database.rows).isEqualTo(Map.of("1", "one", "2", "two"));
    assertThat(database.batches).containsExactly(2);
  }

  @Test
  void propertiesSayHowChangesAreWritten() {
    try (var context =
        start(
            "--varve.defaults.writer=database",
            "--varve.defaults.write-behind.batch-max=7",
            "--varve.defaults.write-behind.retry-min=1s",
            "--varve.caches.books.heap-size=64KB",
            "--varve.caches.books.heap-full=refuse",
            "--varve.caches.books.write-behind.waiting-max=9",
            "--varve.caches.books.write-behind.refuse-when-full=true",
            "--varve.caches.books.write-behind.delay=5ms",
            "--varve.caches.books.write-behind.retry-max=2s",
            "--varve.caches.books.write-behind.attempts-max=3",
            "--varve.caches.now.write-behind.enabled=false",
            "--varve.caches.now.loader=database",
            "--varve.caches.now.read-through=false",
            "--varve.caches.none.write-through=false")) {
      CacheOptions<?, ?> books = options(context, "books");
      assertThat(books.heapBytesMax()).isEqualTo(64 << 10);
      assertThat(books.heapFull()).isEqualTo(HeapFull.REFUSE);
      assertThat(books.isWriteThrough()).isTrue();
      assertThat(books.writeBehind())
          .isEqualTo(
              new WriteBehind(
                  9,
                  true,
                  7,
                  Duration.ofMillis(5),
                  new WriteBehind.Retry(Duration.ofSeconds(1), Duration.ofSeconds(2), 3)));
      assertThat(options(context, "now").writeBehind()).isNull();
      assertThat(options(context, "now").isReadThrough()).isFalse();
      assertThat(options(context, "none").isWriteThrough()).isFalse();
      Cache<Object, Object> cache =
          context.getBean(javax.cache.CacheManager.class).getCache("books");
      assertThatThrownBy(() -> cache.put("large", "x".repeat(100_000)))
          .isInstanceOf(CacheFullException.class);
    }
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static CacheOptions<?, ?> options(ConfigurableApplicationContext context, String name) {
    return context
        .getBean(javax.cache.CacheManager.class)
        .getCache(name)
        .getConfiguration(CacheOptions.class);
  }

  @Test
  void whatCannotBeIsRefusedAtTheStart() {
    assertThatThrownBy(() -> start("--varve.caches.books.writer=nothing"))
        .hasRootCauseMessage(
            "a property names no bean of its type: property=varve.caches.books.writer,"
                + " bean=nothing, type=javax.cache.integration.CacheWriter,"
                + " beans of the type=[database]; name one of these, or define that bean");
    assertThatThrownBy(() -> start("--varve.caches.a.mode=heap", "--varve.defaults.loader=books"))
        .rootCause()
        .hasMessageContaining("property=varve.defaults.loader, bean=books,");
    assertThatThrownBy(() -> start("--varve.caches.books.write-behind.enabled=true"))
        .hasStackTraceContaining("cache=books")
        .rootCause()
        .hasMessageContaining("write-behind and no writer");
    assertThatThrownBy(() -> start(WRITER, "--varve.caches.books.write-behind.batch-max=0"))
        .hasStackTraceContaining("cache=books; correct varve.caches.books.*")
        .hasRootCauseMessage("batchMax=0: must be above 0");
    assertThatThrownBy(() -> start(caches(), "--varve.caches.books.heap-full=refuse"))
        .rootCause()
        .hasMessageContaining("only a bounded cache on the heap can refuse entries: cache=books");
    assertThatThrownBy(
            () -> start("--varve.caches.a.heap-size=1MB", "--varve.caches.a.heap-entries=5"))
        .rootCause()
        .hasMessageContaining("leave out one");
  }

  /// What a loader reads and a writer changes.
  static final class Database
      implements CacheLoader<String, String>, CacheWriter<String, String>, AutoCloseable {
    private final Map<String, String> rows = new ConcurrentHashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private int loads;
    private boolean isClosed;

    @Override
    public @Nullable String load(String key) {
      String row = rows.get(key);
      loads += row == null ? 0 : 1;
      return row;
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      return loaded;
    }

    private void requireOpen() {
      if (isClosed) {
        throw new IllegalStateException("the database is closed");
      }
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      requireOpen();
      rows.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      batches.add(entries.size());
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      requireOpen();
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
      keys.clear();
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  static class Books {
    private int calls;

    int calls() {
      return calls;
    }

    @Cacheable("books")
    @Nullable String title(String isbn) {
      calls++;
      return "none".equals(isbn) ? null : "title of " + isbn;
    }

    @Cacheable(cacheNames = "books", sync = true)
    @Nullable String synchronous(String isbn) {
      if ("bad".equals(isbn)) {
        throw new IllegalStateException("no such book");
      }
      return title(isbn);
    }

    @CachePut(cacheNames = "books", key = "#p0")
    @Nullable String put(String isbn, @Nullable String title) {
      return title;
    }

    @CacheEvict("books")
    void forget(String isbn) {}

    @CacheEvict(cacheNames = "books", allEntries = true)
    void forgetAll() {}

    @CacheEvict(cacheNames = "books", allEntries = true, beforeInvocation = true)
    void forgetAllBefore() {}
  }

  static class Sources {
    private static Database database = new Database();

    @Bean
    Database database() {
      return database;
    }

    @Bean
    Books books() {
      return new Books();
    }
  }
}
