package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.MapReduce;
import io.varve.infinispan.mapreduce.ClusterEntries;
import io.varve.infinispan.migration.CacheImport;
import io.varve.infinispan.migration.ImportOptions;
import io.varve.infinispan.migration.ImportReport;
import io.varve.infinispan.query.Book;
import io.varve.infinispan.query.PersistentIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.logging.Logger;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The examples of the guide to Infinispan's stores: its code word for word, its files as they are.
@Timeout(240)
class InfinispanGuideTest {
  private static final Path GUIDE = Path.of("../docs/INFINISPAN.md");

  @TempDir Path directory;

  private static List<String> examples(String language) throws Exception {
    String guide = Files.readString(GUIDE);
    List<String> examples = new ArrayList<>();
    String fence = "```" + language + "\n";
    for (int at = guide.indexOf(fence); at >= 0; at = guide.indexOf(fence, at + 1)) {
      examples.add(guide.substring(at + fence.length(), guide.indexOf("```", at + 3)));
    }
    return examples;
  }

  @Test
  void theFileOfTheGuideKeepsEntries() throws Exception {
    String xml = examples("xml").getFirst().replace("/var/lib/shop", directory.toString());
    for (int start = 0; start < 2; start++) {
      try (DefaultCacheManager manager =
          new DefaultCacheManager(
              new ParserRegistry().parse(xml, MediaType.APPLICATION_XML), true)) {
        Cache<String, String> orders = manager.getCache("orders");
        assertThat(orders.get("4711")).isEqualTo(start == 0 ? null : "paid");
        orders.put("4711", "paid");
      }
    }
    assertThat(directory.resolve("orders").resolve("varve").resolve("pages")).exists();
  }

  @Test
  void theOtherFilesSayTheSame() throws Exception {
    VarveStoreConfiguration store = store(examples("xml").getFirst(), MediaType.APPLICATION_XML);
    assertThat(store(examples("json").getFirst(), MediaType.APPLICATION_JSON).attributes())
        .isEqualTo(store.attributes());
    assertThat(store(examples("yaml").getFirst(), MediaType.APPLICATION_YAML).attributes())
        .isEqualTo(store.attributes());
  }

  private static VarveStoreConfiguration store(String text, MediaType type) {
    return (VarveStoreConfiguration)
        new ParserRegistry()
            .parse(text, type)
            .getNamedConfigurationBuilders()
            .get("orders")
            .build()
            .persistence()
            .stores()
            .getFirst();
  }

  @Test
  @SuppressWarnings("rawtypes") // as Infinispan has it
  void theCodeOfTheGuideRuns() throws Exception {
    try (DefaultCacheManager manager = new DefaultCacheManager()) {
      ConfigurationBuilder configuration = new ConfigurationBuilder();
      configuration
          .persistence()
          .addStore(VarveStoreConfigurationBuilder.class)
          .location(directory.toString())
          .durability(Durability.BACKGROUND);
      manager.defineConfiguration("sessions", configuration.build());
      Cache<String, String> sessions = manager.getCache("sessions");

      PersistenceManager persistence =
          ComponentRegistry.componentOf(sessions, PersistenceManager.class);
      Set<VarveStore> stores = persistence.getStores(VarveStore.class);
      long commits = stores.iterator().next().statistics().commits().applied();
      sessions.put("4711", "basket");
      assertThat(stores.iterator().next().statistics().commits().applied()).isEqualTo(commits + 1);
    }
  }

  @Test
  void theImportOfTheGuideRuns() throws Exception {
    Path source = directory.resolve("old");
    Path target = directory.resolve("new");
    Logger log = Logger.getLogger("import");
    try (DefaultCacheManager manager = new DefaultCacheManager()) {
      ConfigurationBuilder configuration = new ConfigurationBuilder();
      configuration
          .persistence()
          .addSoftIndexFileStore()
          .dataLocation(source.toString())
          .indexLocation(source.toString());
      manager.defineConfiguration("sessions", configuration.build());
      manager.getCache("sessions").put("4711", "basket");
    }
    var importing =
        new CacheImport(
            ImportOptions.of(source, target),
            (cache, entries, about) -> log.info(cache + ": " + entries + " of about " + about));
    List<ImportReport> reports = importing.caches().stream().map(importing::run).toList();
    assertThat(reports).extracting(ImportReport::entries).containsExactly(1L);
  }

  @Test
  void theJobOfTheGuideRuns() throws Exception {
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    global.serialization().allowList().addRegexp("^com\\.example\\.");
    global.serialization().allowList().addClass(InfinispanGuideTest.class.getName());
    try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
      ConfigurationBuilder configuration = new ConfigurationBuilder();
      configuration
          .persistence()
          .addStore(VarveStoreConfigurationBuilder.class)
          .location(directory.toString());
      manager.defineConfiguration("orders", configuration.build());
      Cache<String, String> orders = manager.getCache("orders");
      orders.put("1", "pears, apples");
      orders.put("2", "apples");

      MapReduce<CacheEntry<String, String>, String, Long, Long> words =
          MapReduce.<CacheEntry<String, String>, String, Long>map(
                  (entry, out) -> {
                    for (String word : entry.getValue().split("\\W+")) {
                      out.emit(word, 1L);
                    }
                  })
              .combine(Long::sum);

      Map<String, Long> counts = words.run(ClusterEntries.of(orders));
      assertThat(counts).isEqualTo(Map.of("pears", 1L, "apples", 2L));
    }
  }

  @Test
  void theQueryOfTheGuideFindsBooks() throws Exception {
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    global.globalState().enable().persistentLocation(directory.toString());
    global.serialization().marshaller(new JavaSerializationMarshaller());
    global.serialization().allowList().addClass(Book.class.getName());
    try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
      ConfigurationBuilder configuration = new ConfigurationBuilder();
      configuration.encoding().mediaType(MediaType.APPLICATION_OBJECT_TYPE);
      configuration.persistence().addStore(VarveStoreConfigurationBuilder.class);
      configuration
          .indexing()
          .enable()
          .storage(IndexStorage.FILESYSTEM)
          .path("index")
          .addIndexedEntities(Book.class);
      manager.defineConfiguration("books", configuration.build());
      Cache<String, Book> books = manager.getCache("books");
      CompletionStage<Boolean> rebuilt = PersistentIndex.repair(books);
      rebuilt.toCompletableFuture().join();
      books.put("1", new Book("The Art of Computer Programming", 1968));
      assertThat(
              books
                  .<Book>query("from io.varve.infinispan.query.Book where title : 'computer'")
                  .list())
          .extracting(Book::getYear)
          .containsExactly(1968);
    }
  }
}
