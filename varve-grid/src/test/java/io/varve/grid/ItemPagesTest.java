package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// PAGE-1, PAGE-2: items that clients of HTTP read by pages.
@Timeout(120)
class ItemPagesTest extends SharedNode {
  private static final String ROOT = "/rest/v2/varve/items";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private static HttpResponse<String> send(String method, String path, String body)
      throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString(UTF_8));
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "");
  }

  private static String next(HttpResponse<String> page) {
    return page.headers()
        .firstValue("Link")
        .map(link -> link.replaceAll("<(.*)>; rel=\"next\"", "$1"))
        .orElse("");
  }

  private static JsonNode json(String text) {
    return MAPPER.readTree(text);
  }

  private static List<JsonNode> pages(String first) throws Exception {
    List<JsonNode> pages = new ArrayList<>();
    for (String path = first; !path.isEmpty(); ) {
      HttpResponse<String> page = get(path);
      assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
      pages.add(json(page.body()));
      path = next(page);
    }
    return pages;
  }

  /// Names of all kinds, one that ends with the prefix, and one whose value is nested.
  @Test
  void allPagesTogetherAreAllItems() throws Exception {
    String path = ROOT + "/pages/all";
    String json =
        "{\"\":null,\"a b/c+&\":{\"x\":{\"y\":[1,2]},\"z\":true},\"@long:7\":\"s\",\"@long:-7\":1.5,"
            + "\"@bytes:+/8=\":1,\"@index:3\":{\"a\":1},\"\u00e4\":\"\u00e4\",\"@string:\":2,\"end\":null}";
    assertThat(send("PUT", path, json).statusCode()).isEqualTo(201);
    ObjectNode whole = (ObjectNode) json(get(path).body());
    for (int limit = 1; limit <= 10; limit++) {
      ObjectNode read = MAPPER.createObjectNode();
      List<JsonNode> pages = pages(path + "?limit=" + limit);
      for (JsonNode page : pages) {
        assertThat(page.size()).isLessThanOrEqualTo(limit);
        page.properties()
            .forEach(name -> {
              assertThat(read.has(name.getKey())).isFalse();
              read.set(name.getKey(), name.getValue());
            });
      }
      assertThat(pages).hasSize((9 + limit - 1) / limit);
      assertThat(read).isEqualTo(whole);
    }
    assertThat(get(path + "?limit=9").headers().firstValue("Varve-Items"))
        .isEqualTo(get(path).headers().firstValue("Varve-Items"));
    HttpResponse<String> head = send("HEAD", path + "?limit=1", "");
    assertThat(head.body()).isEmpty();
    assertThat(next(head)).isEqualTo(path + "?limit=1&after=");
  }

  /// Values that are the last of their items are names, and null is their end.
  @Test
  void aSetHasPagesOfNames() throws Exception {
    assertThat(send("PUT", ROOT + "/pages/set", "[3,1,\"b\",\"a\"]").statusCode()).isEqualTo(201);
    assertThat(pages(ROOT + "/pages/set?limit=3"))
        .containsExactly(
            json("{\"a\":null,\"b\":null,\"@long:1\":null}"), json("{\"@long:3\":null}"));
  }

  /// PAGE-1. What comes before is not seen, what goes is not, and nothing comes twice.
  @Test
  void changesBetweenPagesDoNotMoveThem() throws Exception {
    String path = ROOT + "/pages/moving";
    send("PUT", path, "{\"b\":{\"n\":1,\"m\":1},\"d\":1,\"f\":1,\"h\":1}");
    HttpResponse<String> first = get(path + "?limit=2");
    assertThat(json(first.body())).isEqualTo(json("{\"b\":{\"n\":1,\"m\":1},\"d\":1}"));
    for (String added : List.of("a", "c", "e")) {
      send("PUT", path + "/" + added, "1");
    }
    send("DELETE", path + "/d", "");
    send("DELETE", path + "/f", "");
    HttpResponse<String> second = get(next(first));
    assertThat(json(second.body())).isEqualTo(json("{\"e\":1,\"h\":1}"));
    assertThat(next(second)).isEmpty();
    assertThat(get(path + "?after=h").body()).isEqualTo("{}");
    assertThat(get(path + "?after=a").body())
        .isEqualTo("{\"b\":{\"m\":1,\"n\":1},\"c\":1,\"e\":1,\"h\":1}");
    assertThat(get(path + "?limit=1").body()).isEqualTo("{\"a\":1}");
  }

  /// The address of the next page was longer than one that is read.
  @Test
  void aLongNameOfEscapesHasANextPage() throws Exception {
    String path = ROOT + "/pages/long";
    String name = "\u00e4".repeat(2_000);
    send("PUT", path, "{\"" + name + "\":1,\"" + name + "b\":2,\"" + name + "c\":3}");
    List<JsonNode> pages = pages(path + "?limit=1");
    assertThat(pages)
        .containsExactly(
            json("{\"" + name + "\":1}"),
            json("{\"" + name + "b\":2}"),
            json("{\"" + name + "c\":3}"));
  }

  /// PAGE-2: items that are too many for one value are read, and a page without a limit is short.
  @Test
  void aPageHasABound() throws Exception {
    String path = ROOT + "/pages/many";
    StringBuilder names = new StringBuilder("{");
    for (int at = 0; at < 3_000; at++) {
      names.append(at == 0 ? "" : ",").append("\"n").append(10_000 + at).append("\":\"");
      names.append("x".repeat(1_000)).append('"');
    }
    assertThat(send("PUT", path, names + "}").statusCode()).isEqualTo(201);
    List<JsonNode> pages = pages(path + "?limit=10000");
    assertThat(pages).hasSizeBetween(4, 30);
    assertThat(pages.stream().mapToInt(JsonNode::size).sum()).isEqualTo(3_000);
    assertThat(json(get(path + "?limit=7").body()).size()).isEqualTo(7);
    assertThat(json(get(path + "?after=n12990").body()).size()).isEqualTo(9);
    assertThat(json(get(path + "?after=n10000").body()).size()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=10001",
        "limit=-1",
        "limit=x",
        "limit=",
        "limit",
        "after",
        "x=1",
        "&",
        "limit=1&limit=2",
        "after=a&after=b",
        "after=a+b",
        "after=@long:x",
        "after=%ff"
      })
  void parametersThatMakeNoSenseAreRefused(String query) throws Exception {
    send("PUT", ROOT + "/pages/bad", "{\"a\":1}");
    HttpResponse<String> refused = get(ROOT + "/pages/bad?" + query);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
  }

  @Test
  void pagesAreReadAndHaveNoTag() throws Exception {
    String path = ROOT + "/pages/tag";
    send("PUT", path, "{\"a\":1}");
    assertThat(get(path + "?limit=1").headers().firstValue("ETag")).isEmpty();
    for (String method : List.of("PUT", "PATCH", "POST", "DELETE")) {
      assertThat(send(method, path + "?limit=1", "{}").statusCode()).isEqualTo(400);
    }
    assertThat(get(ROOT + "/pages/nothing?limit=1").statusCode()).isEqualTo(404);
    assertThat(get(ROOT + "/nowhere?limit=1").statusCode()).isEqualTo(404);
    assertThat(get(path).body()).isEqualTo("{\"a\":1}");
  }
}
