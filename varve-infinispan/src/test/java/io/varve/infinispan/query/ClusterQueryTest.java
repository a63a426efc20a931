package io.varve.infinispan.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.infinispan.LoopbackCluster;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.test.TestingUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Queries that each node asks of all: entries and their index are on the nodes that own them.
@Tag("slow")
@Timeout(240)
class ClusterQueryTest {
  private static final int BOOKS = 120;

  @TempDir Path directory;
  private final List<DefaultCacheManager> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    TestingUtil.killCacheManagers(nodes);
  }

  private Cache<String, Book> add() {
    String name = "node" + nodes.size();
    GlobalConfigurationBuilder global =
        Books.keptIn(directory.resolve(name), LoopbackCluster.node(directory, name));
    ConfigurationBuilder configuration = Books.indexed();
    configuration.clustering().cacheMode(CacheMode.DIST_SYNC);
    configuration.persistence().addStore(VarveStoreConfigurationBuilder.class).purgeOnStartup(true);
    DefaultCacheManager node = new DefaultCacheManager(global.build());
    nodes.add(node);
    node.defineConfiguration("books", configuration.build());
    Cache<String, Book> books = node.getCache("books");
    PersistentIndex.repair(books).toCompletableFuture().join();
    return books;
  }

  private List<Cache<String, Book>> caches() {
    return nodes.stream().map(node -> node.<String, Book>getCache("books")).toList();
  }

  private static List<Integer> found(Cache<String, Book> books, String query) {
    return books
        .<Book>query("from io.varve.infinispan.query.Book where " + query + " order by year")
        .maxResults(BOOKS)
        .list()
        .stream()
        .map(Book::getYear)
        .toList();
  }

  private static List<Integer> years(int from, int step, int to) {
    List<Integer> years = new ArrayList<>();
    for (int year = from; year < to; year += step) {
      years.add(year);
    }
    return years;
  }

  private void requireAllFoundOnEachNode() {
    TestingUtil.waitForNoRebalance(caches());
    for (Cache<String, Book> books : caches()) {
      assertThat(found(books, "title : 'volume'")).isEqualTo(years(1900, 2, 1900 + BOOKS));
      assertThat(found(books, "year >= 2000")).isEqualTo(years(2000, 1, 1900 + BOOKS));
    }
  }

  @Test
  void eachNodeFindsWhatAnyHas() {
    Cache<String, Book> first = add();
    Cache<String, Book> second = add();
    for (int i = 0; i < BOOKS; i++) {
      (i % 3 == 0 ? first : second)
          .put("b" + i, new Book((i % 2 == 0 ? "an even volume " : "an odd tome ") + i, 1900 + i));
    }
    requireAllFoundOnEachNode();

    add();
    requireAllFoundOnEachNode();

    nodes.removeFirst().stop();
    requireAllFoundOnEachNode();
    Cache<String, Book> left = caches().getFirst();
    left.put("b1", new Book("a volume that was odd", 1901));
    left.remove("b0");
    for (Cache<String, Book> books : caches()) {
      assertThat(found(books, "title : 'volume' and year < 1904")).containsExactly(1901, 1902);
    }
  }
}
