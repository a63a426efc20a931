package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.Clients.Rest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.UTF8StringMarshaller;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Caches with an index that clients make: what queries answer after kills of the node is what its
/// entries contain.
@Tag("slow")
@Timeout(300)
class IndexedCacheKillTest {
  private static final int KILLS = Integer.getInteger("varve.grid.index.kills", 1);
  private static final int KEYS = 200;
  private static final long SEED = Long.getLong("varve.seed", 98);
  private static final String SCHEMA =
      """
      syntax = "proto2";
      package shop;
      /** @Indexed */
      message Book {
        /** @Text */
        optional string title = 1;
        /** @Basic(sortable=true) */
        optional int32 year = 2;
      }
      """;
  private static final Pattern YEAR = Pattern.compile("\"year\" ?: ?(\\d+)");
  private static final Pattern HITS = Pattern.compile("\"hit_count\" ?: ?(\\d+)");

  /// The cache whose index is in a directory, and the one whose index is on the heap.
  private static final Map<String, String> STORAGES =
      Map.of("filed", "filesystem", "heaped", "local-heap");

  @TempDir Path directory;
  private final Random random = new Random(SEED);

  @Test
  void queriesAnswerWhatTheEntriesSay() throws Exception {
    Path data = directory.resolve("node");
    try (ServeProcess node = ServeProcess.start(data)) {
      try (Rest rest = Rest.of(node.port())) {
        define(rest);
      }
      writeUntilKilled(node);
    }
    for (int kill = 1; kill < KILLS; kill++) {
      try (ServeProcess node = ServeProcess.start(data)) {
        requireQueriesAreRight(node);
        writeUntilKilled(node);
      }
    }
    try (ServeProcess node = ServeProcess.start(data)) {
      requireQueriesAreRight(node);
    }
  }

  private static void define(Rest rest) throws Exception {
    HttpResponse<String> schema =
        rest.send(
            HttpRequest.newBuilder(rest.node().resolve("/rest/v2/schemas/shop.proto"))
                .POST(HttpRequest.BodyPublishers.ofString(SCHEMA))
                .build());
    assertThat(schema.statusCode()).as(schema.body()).isEqualTo(200);
    for (var storage : STORAGES.entrySet()) {
      String definition =
          """
          {"local-cache": {
            "encoding": {"media-type": "application/x-protostream"},
            "memory": {"max-count": 20, "when-full": "REMOVE"},
            "indexing": {"storage": "%s", "indexed-entities": ["shop.Book"]},
            "persistence": {"varve-store": {"durability": "PROCESS_CRASH"}}}}
          """
              .formatted(storage.getValue());
      HttpResponse<String> made =
          rest.send(
              HttpRequest.newBuilder(cache(rest, storage.getKey(), ""))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(definition))
                  .build());
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    }
  }

  private static URI cache(Rest rest, String name, String more) {
    return rest.node().resolve("/rest/v2/caches/" + name + more);
  }

  /// Writes, and kills the node while writes are under way.
  private void writeUntilKilled(ServeProcess node) throws Exception {
    int written = 0;
    int wanted = 100 + random.nextInt(300);
    CompletableFuture<Void> enough = new CompletableFuture<>();
    CompletableFuture<Void> killed = enough.thenRunAsync(node::kill);
    try (Rest rest = Rest.of(node.port())) {
      while (true) {
        for (String name : STORAGES.keySet()) {
          write(rest, name);
          if (++written == wanted) {
            enough.complete(null);
          }
        }
      }
    } catch (IOException e) {
      assertThat(written).as("seed=%s", SEED).isGreaterThanOrEqualTo(wanted);
    }
    killed.join();
  }

  private void write(Rest rest, String name) throws Exception {
    URI entry = cache(rest, name, "/k" + random.nextInt(KEYS));
    HttpRequest.Builder request = HttpRequest.newBuilder(entry);
    if (random.nextInt(4) == 0) {
      rest.send(request.DELETE().build());
      return;
    }
    String word = random.nextBoolean() ? "even" : "odd";
    String book =
        "{\"_type\":\"shop.Book\",\"title\":\"the %s volume\",\"year\":%d}"
            .formatted(word, 1000 + random.nextInt(1_000_000));
    HttpResponse<String> put =
        rest.send(
            request
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(book))
                .build());
    assertThat(put.statusCode()).as(put.body()).isEqualTo(204);
  }

  private static void requireQueriesAreRight(ServeProcess node) throws Exception {
    try (Rest rest = Rest.of(node.port());
        RemoteCacheManager hotRod = Clients.hotRod(node.port())) {
      for (String name : STORAGES.keySet()) {
        Map<String, String> entries = entries(rest, name);
        assertThat(entries).isNotEmpty();
        for (String word : new String[] {"even", "odd", "volume"}) {
          TreeSet<Integer> expected = new TreeSet<>();
          int hits = 0;
          for (String book : entries.values()) {
            if (book.contains(word)) {
              expected.add(year(book));
              hits++;
            }
          }
          String query = "from shop.Book where title : '" + word + "' order by year";
          String found = found(rest, name, query);
          assertThat(years(found)).as("%s in %s", word, name).isEqualTo(expected);
          assertThat(hits(found)).as("%s in %s", word, name).isEqualTo(hits);
          assertThat(countByHotRod(hotRod, name, query)).isEqualTo(hits);
        }
      }
    }
  }

  private static long countByHotRod(RemoteCacheManager hotRod, String name, String query) {
    RemoteCache<String, String> cache =
        hotRod
            .<String, String>getCache(name)
            .withDataFormat(
                DataFormat.builder()
                    .valueType(MediaType.APPLICATION_JSON)
                    .valueMarshaller(new UTF8StringMarshaller())
                    .build());
    return cache.query(query).maxResults(KEYS).execute().count().value();
  }

  /// All entries, read one by one.
  private static Map<String, String> entries(Rest rest, String name) throws Exception {
    Map<String, String> entries = new HashMap<>();
    for (int key = 0; key < KEYS; key++) {
      HttpResponse<String> entry =
          rest.send(
              HttpRequest.newBuilder(cache(rest, name, "/k" + key))
                  .header("Accept", "application/json")
                  .build());
      if (entry.statusCode() == 200) {
        entries.put("k" + key, entry.body());
      } else {
        assertThat(entry.statusCode()).as(entry.body()).isEqualTo(404);
      }
    }
    return entries;
  }

  private static String found(Rest rest, String name, String query) throws Exception {
    String encoded = URLEncoder.encode(query, UTF_8);
    HttpResponse<String> found =
        rest.send(
            HttpRequest.newBuilder(
                    cache(rest, name, "?action=search&max_results=" + KEYS + "&query=" + encoded))
                .build());
    assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
    return found.body();
  }

  private static int year(String book) {
    return years(book).getFirst();
  }

  private static TreeSet<Integer> years(String text) {
    TreeSet<Integer> years = new TreeSet<>();
    Matcher matcher = YEAR.matcher(text);
    while (matcher.find()) {
      years.add(Integer.parseInt(matcher.group(1)));
    }
    return years;
  }

  private static int hits(String found) {
    Matcher matcher = HITS.matcher(found);
    assertThat(matcher.find()).as(found).isTrue();
    return Integer.parseInt(matcher.group(1));
  }
}
