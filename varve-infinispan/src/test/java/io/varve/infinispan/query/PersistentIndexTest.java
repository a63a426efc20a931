package io.varve.infinispan.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Queries over entries that live in Varve, after clean stops, kills, and losses of the index.
@Tag("slow")
@Timeout(240)
class PersistentIndexTest {
  private static final int BOOKS = 200;

  /// More than a rebuild of so many takes.
  private static final int BATCHES_MAX = 50;

  @TempDir Path directory;

  private static DefaultCacheManager manager(Path directory) {
    return new DefaultCacheManager(
        Books.keptIn(directory, new GlobalConfigurationBuilder()).build());
  }

  private static Cache<String, Book> books(DefaultCacheManager manager) {
    ConfigurationBuilder configuration = Books.indexed();
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .durability(Durability.PROCESS_CRASH);
    manager.defineConfiguration("books", configuration.build());
    return manager.getCache("books");
  }

  private static void fill(Cache<String, Book> books, int from, int to) {
    for (int i = from; i < to; i++) {
      books.put(
          "b" + i, new Book((i % 2 == 0 ? "the even volume " : "an odd tome ") + i, 1900 + i));
    }
  }

  /// The years of books whose titles have a word, in order.
  private static List<Integer> years(Cache<String, Book> books, String word) {
    return books
        .<Book>query(
            "from io.varve.infinispan.query.Book where title : '" + word + "' order by year")
        .maxResults(BOOKS)
        .list()
        .stream()
        .map(Book::getYear)
        .toList();
  }

  private static List<Integer> evenYears() {
    return Stream.iterate(1900, year -> year < 1900 + BOOKS, year -> year + 2).toList();
  }

  private static boolean isRebuilt(Cache<String, Book> books) {
    return PersistentIndex.repair(books).toCompletableFuture().join();
  }

  private Path index() {
    return directory.resolve("index");
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void whatWasIndexedIsFoundAfterACleanStopWithoutARebuild() throws Exception {
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isTrue();
      fill(books, 0, BOOKS);
      assertThat(years(books, "volume")).isEqualTo(evenYears());
    }
    assertThat(index().resolve("varve-session")).exists();
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isFalse();
      assertThat(index().resolve("varve-session")).doesNotExist();
      assertThat(years(books, "volume")).isEqualTo(evenYears());
      List<Object[]> titles =
          books
              .<Object[]>query(
                  "select title from io.varve.infinispan.query.Book where year >= 2098 order by"
                      + " year")
              .list();
      assertThat(titles)
          .extracting(row -> row[0])
          .containsExactly("the even volume 198", "an odd tome 199");
    }
  }

  @Test
  void anIndexThatWasRemovedIsRebuilt() throws Exception {
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isTrue();
      fill(books, 0, BOOKS);
    }
    delete(index());
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(years(books, "volume")).isEmpty();
      var indexed = new LongAdder();
      assertThat(PersistentIndex.repair(books, indexed::add).toCompletableFuture().join()).isTrue();
      assertThat(indexed.sum()).isEqualTo(BOOKS);
      assertThat(years(books, "volume")).isEqualTo(evenYears());
    }
  }

  /// Others write another entry with each batch: the rebuild would never be done with what was
  /// written since it last looked.
  @Test
  void aRebuildEndsHoweverFastOthersWrite() throws Exception {
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isTrue();
      fill(books, 0, BOOKS);
      Queue<CompletableFuture<?>> writes = new ConcurrentLinkedQueue<>();
      PersistentIndex.rebuild(
              books,
              _ -> {
                int year = 1900 + BOOKS + writes.size();
                if (writes.size() == BATCHES_MAX) {
                  throw new IllegalStateException("the rebuild does not end");
                }
                CompletableFuture<?> write =
                    books.putAsync("more" + year, new Book("a volume more", year));
                writes.add(write);
                awaitInStore(books, "more" + year);
              })
          .toCompletableFuture()
          .join();
      CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)).join();
      assertThat(
              books
                  .<Book>query("from io.varve.infinispan.query.Book where title : 'volume'")
                  .maxResults(2 * BOOKS)
                  .list())
          .hasSize(BOOKS / 2 + writes.size());
    }
  }

  /// Waits until a write is committed, though it may not have been answered.
  private static void awaitInStore(Cache<String, Book> books, String key) {
    while (!books.containsKey(key)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anIndexThatIsOlderThanItsEntriesIsRebuilt() throws Exception {
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isTrue();
      fill(books, 0, BOOKS / 2);
    }
    Path copy = directory.resolve("copy");
    copy(index(), copy);
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isFalse();
      fill(books, BOOKS / 2, BOOKS);
    }
    delete(index());
    copy(copy, index());
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(years(books, "volume")).hasSize(BOOKS / 4);
      assertThat(isRebuilt(books)).isTrue();
      assertThat(years(books, "volume")).isEqualTo(evenYears());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  @Test
  void whatWasStoredIsFoundAfterAKill() throws Exception {
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PersistentIndexTest.class.getName(),
                directory.resolve("killed").toString())
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (child.isAlive() && !Files.readString(output).contains("filled")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    child.destroyForcibly().waitFor();
    try (DefaultCacheManager manager = manager(directory.resolve("killed"))) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isTrue();
      assertThat(years(books, "volume")).isEqualTo(evenYears());
    }
  }

  /// The process that is killed: fills a cache, reports that, and waits.
  public static void main(String[] arguments) throws Exception {
    Cache<String, Book> books = books(manager(Path.of(arguments[0])));
    isRebuilt(books);
    fill(books, 0, BOOKS);
    System.out.write("filled\n".getBytes(StandardCharsets.US_ASCII));
    System.out.flush();
    TimeUnit.DAYS.sleep(1);
  }

  /// A write or a removal may come between the read of an entry and its entry in the index. It must
  /// not be overwritten there by the older value.
  @Test
  void whatIsWrittenDuringARebuildIsFound() throws Exception {
    try (DefaultCacheManager manager = manager(directory)) {
      Cache<String, Book> books = books(manager);
      assertThat(isRebuilt(books)).isTrue();
      fill(books, 0, BOOKS);
      for (int round = 0; round < 5; round++) {
        CompletableFuture<Void> rebuilt = PersistentIndex.rebuild(books).toCompletableFuture();
        for (int at = 0; !rebuilt.isDone() || at % BOOKS != 0; at++) {
          int book = at * 7 % BOOKS;
          if (at % 3 == 0) {
            books.remove("b" + book);
          } else {
            books.put("b" + book, new Book("a volume", 3000 + at));
          }
        }
        rebuilt.join();
        List<Integer> expected =
            books.values().stream()
                .filter(book -> book.getTitle().contains("volume"))
                .map(Book::getYear)
                .sorted()
                .toList();
        assertThat(years(books, "volume")).isEqualTo(expected);
        books.clear();
        assertThat(years(books, "volume")).isEmpty();
        fill(books, 0, BOOKS);
      }
    }
  }

  @Test
  void cachesWithoutAnIndexAreRefused() throws Exception {
    try (DefaultCacheManager manager = manager(directory)) {
      manager.defineConfiguration("plain", new ConfigurationBuilder().build());
      Cache<String, Book> plain = manager.getCache("plain");
      assertThatThrownBy(() -> PersistentIndex.repair(plain))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("no index in a directory: cache=plain");
      assertThatThrownBy(() -> PersistentIndex.rebuild(plain))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("no index: cache=plain");
    }
  }
}
