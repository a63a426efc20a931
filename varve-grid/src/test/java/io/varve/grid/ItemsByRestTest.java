package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.control.ControlClient;
import io.varve.grid.items.ItemStore;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Items that clients of HTTP read and change as JSON.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class ItemsByRestTest extends SharedNode {
  private static final String ROOT = "/rest/v2/varve/items";
  private static final String JSON = "application/json";
  private static final String PATCH = "application/merge-patch+json";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /// Sends a request.
  ///
  /// @param path after the one of all items, as it is sent
  /// @param headers names and values by turns
  private static HttpResponse<String> send(
      String method, String path, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + ROOT + path))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString(UTF_8));
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    return send("GET", path, "", headers);
  }

  private static HttpResponse<String> put(String path, String json) throws Exception {
    return send("PUT", path, json, "Content-Type", JSON);
  }

  private static HttpResponse<String> patch(String path, String json) throws Exception {
    return send("PATCH", path, json, "Content-Type", PATCH);
  }

  private static String etag(String path) throws Exception {
    return get(path).headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void itemsAreReadReplacedPatchedAndRemoved() throws Exception {
    String ada = "/people/@long:7";
    assertThat(get(ada).statusCode()).isEqualTo(404);
    HttpResponse<String> put =
        put(ada, "{\"name\":\"Ada\",\"tags\":[\"b\",\"a\"],\"address\":{\"city\":\"Bonn\"}}");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    assertThat(put.body()).contains("\"changed\":4").contains("\"items\":4");
    HttpResponse<String> read = get(ada);
    assertThat(read.body())
        .isEqualTo("{\"address\":{\"city\":\"Bonn\"},\"name\":\"Ada\",\"tags\":[\"a\",\"b\"]}");
    assertThat(read.headers().firstValue("Content-Type")).hasValue(JSON);
    assertThat(read.headers().firstValue("Varve-Items")).hasValue("4");
    assertThat(put.body().replace("\\\"", "\""))
        .contains(read.headers().firstValue("ETag").orElseThrow());
    assertThat(get("/people").body()).startsWith("{\"@long:7\":{\"address\"");
    assertThat(get(ada + "/name").body()).isEqualTo("\"Ada\"");

    HttpResponse<String> patched =
        patch(ada, "{\"address\":{\"city\":\"Ulm\"},\"tags\":null,\"age\":36}");
    assertThat(patched.statusCode()).as(patched.body()).isEqualTo(200);
    assertThat(get(ada).body())
        .isEqualTo("{\"address\":{\"city\":\"Ulm\"},\"age\":36,\"name\":\"Ada\"}");
    assertThat(send("POST", ada, "{\"age\":37}", "Content-Type", PATCH).statusCode())
        .isEqualTo(200);
    assertThat(get(ada + "/age").body()).isEqualTo("37");

    HttpResponse<String> head = send("HEAD", ada, "");
    assertThat(head.headers().firstValue("ETag")).hasValue(etag(ada));
    assertThat(head.headers().firstValue("Content-Length")).isEmpty();
    assertThat(put(ada, "{\"name\":\"Eve\"}").body()).contains("\"items\":1");
    assertThat(send("DELETE", ada + "/name", "").statusCode()).isEqualTo(200);
    assertThat(get(ada).statusCode()).isEqualTo(404);
    assertThat(send("DELETE", ada, "").statusCode()).isEqualTo(404);
    assertThat(send("DELETE", "/nowhere", "").statusCode()).isEqualTo(404);
    assertThat(get("").body()).contains("\"people\"").doesNotContain("nowhere");
    assertThat(send("OPTIONS", ada, "").headers().firstValue("Accept-Patch")).hasValue(PATCH);
    assertThat(send("TRACE", ada, "").statusCode()).isGreaterThanOrEqualTo(400);
  }

  /// Each type as a part of an address and as a name and a value of JSON. What a part has that an
  /// address cannot have is encoded.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "text",
        "a/b",
        "ü %2F +&=;:?#",
        "..",
        ".",
        "@string:",
        "@string:@home",
        "@utf16:d800",
        "\0 \n",
        "@long:-9223372036854775808",
        "@double:-0.0",
        "@double:NaN",
        "@float:1.5",
        "@boolean:true",
        "@instant:1815-12-10T00:00:00.000000001Z",
        "@bytes:+/8=",
        "@chars:abc",
        "@chars16:dc00",
        "@index:7",
        "@uuid:00000000-0000-0007-0000-000000000009",
        "@class:10",
        "@attribute:11",
      })
  void eachTypeIsAPartOfAnAddress(String component) throws Exception {
    String part = URLEncoder.encode(component, UTF_8).replace("+", "%20").replace(".", "%2E");
    String path = "/types/" + part;
    String quoted =
        "\"" + component.replace("\0", "\\u0000").replace("\n", "\\n") + "\""; // no others here
    HttpResponse<String> put = put(path, "{\"value\":" + quoted + "}");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    String value = get(path + "/value").body();
    assertThat(put(path, "{\"value\":" + value + "}").body()).contains("\"changed\":0");
    assertThat(get("/types").body()).isEqualTo("{" + quoted + ":{\"value\":" + value + "}}");
    assertThat(send("DELETE", path, "").statusCode()).isEqualTo(200);
    assertThat(get("/types").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | /hostile/a//b",
        "400 | //a",
        "400 | /hostile/%ff",
        "400 | /hostile/%ed%a0%80",
        "400 | /hostile/%c0%af",
        "400 | /hostile/%4",
        "400 | /hostile/%zz",
        "400 | /hostile/@long:x",
        "400 | /hostile/@what:1",
        "400 | /hostile/a?b=c",
        "400 | /hostile/a?action=",
        "400 | /hostile~layer-0000000000000000001/a",
        "404 | s/a",
        "404 | /hostile/../a",
        "404 | /../../../../etc/passwd",
        "404 | /hostile/%2e%2e",
      })
  void anAddressThatIsNoneChangesNothing(int status, String path) throws Exception {
    var http = new RawHttp(node.port());
    assertThat(http.send("GET " + ROOT + path, "", "Host: localhost").status())
        .isEqualTo(path.contains("~layer") ? 404 : status);
    if (status == 400) {
      assertThat(
              http.send("PUT " + ROOT + path, "1", "Host: localhost", "Content-Type: " + JSON)
                  .status())
          .isEqualTo(status);
      assertThat(get("/hostile").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aLongAddressIsRefused() throws Exception {
    var http = new RawHttp(node.port());
    for (int length : new int[] {4_000, 5_000, 16_000, 17_000, 100_000}) {
      String part = "x".repeat(length);
      int status = http.send("GET " + ROOT + "/hostile/" + part, "", "Host: localhost").status();
      int ofItem = length < 4_096 ? 404 : 400;
      assertThat(status).as("length=%d", length).isEqualTo(length < 16_384 ? ofItem : 414);
    }
    assertThat(get("/hostile/" + "%00".repeat(1_300)).statusCode()).isEqualTo(404);
    assertThat(put("/" + "n".repeat(1_000) + "/a", "1").statusCode()).isEqualTo(400);
  }

  /// Each line is a body that is no value of items, and what the answer has.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":2} | line=1, column=",
        "{\"a\":1 | line=1, column=",
        "{} {} | no JSON",
        "\u00ff | line=1, column=",
        "{\"a\":123456789012345678901234567890} | at=\"/a\"",
        "{\"a\":{\"b/c\":[1,1e999]}} | at=\"/a/b~1c/1\"",
        "{\"a\":{\"@long:x\":1}} | at=\"/a/@long:x\"",
        "{\"\":1} | empty name",
        "NaN | line=1",
      })
  void aBodyThatIsNoValueChangesNothing(String body, String reason) throws Exception {
    put("/kept", "{\"a\":\"as it was\"}");
    for (HttpResponse<String> answer : List.of(put("/kept", body), patch("/kept", body))) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains(reason);
    }
    assertThat(get("/kept").body()).isEqualTo("{\"a\":\"as it was\"}");
  }

  @Test
  void aHostileBodyChangesNothing() throws Exception {
    put("/kept", "{\"a\":\"as it was\"}");
    assertThat(put("/kept", "").statusCode()).isEqualTo(400);
    assertThat(put("/kept", "[".repeat(1_000_000)).statusCode()).isEqualTo(400);
    assertThat(put("/kept", "{\"a\":".repeat(450) + "1" + "}".repeat(450)).statusCode())
        .isEqualTo(400);
    assertThat(put("/kept", "9".repeat(100_000)).statusCode()).isEqualTo(400);
    assertThat(put("/kept", "{\"" + "n".repeat(5_000) + "\":1}").statusCode()).isEqualTo(400);
    // Each of the items has the long name once more.
    String many =
        IntStream.range(0, 2_000_000)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(",", "{\"" + "n".repeat(3_000) + "\":[", "]}"));
    assertThat(put("/kept", many).statusCode()).isEqualTo(413);
    for (byte[] bytes : new byte[][] {{'"', (byte) 0xff, '"'}, {'"', (byte) 0xc0, (byte) 0xaf}}) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + ROOT + "/kept"))
              .PUT(BodyPublishers.ofByteArray(bytes))
              .header("Content-Type", JSON)
              .build();
      assertThat(HTTP.send(request, BodyHandlers.ofString()).body()).contains("not UTF-8");
    }
    for (String type : new String[] {"text/plain", "application/json; charset=utf-16", PATCH}) {
      HttpResponse<String> answer = send("PUT", "/kept", "1", "Content-Type", type);
      assertThat(answer.statusCode()).isEqualTo(415);
      assertThat(answer.headers().firstValue("Accept")).hasValue(JSON);
    }
    assertThat(send("PUT", "/kept", "1").statusCode()).isEqualTo(415);
    assertThat(
            send("PATCH", "/kept", "1", "Content-Type", JSON).headers().firstValue("Accept-Patch"))
        .hasValue(PATCH);
    assertThat(get("/kept").body()).isEqualTo("{\"a\":\"as it was\"}");
    assertThat(
            send("PUT", "/kept", "{\"a\":1}", "Content-Type", "Application/JSON;charset=\"UTF-8\"")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void aBodyThatStopsChangesNothing() throws Exception {
    put("/kept", "{\"a\":\"as it was\"}");
    for (String body : new String[] {"5\r\n{\"a\":\r\n", "1\r\n1\r\nfffffffff\r\n"}) {
      try (Socket socket = new Socket(Clients.HOST, node.port())) {
        socket.setSoTimeout(60_000);
        String head =
            "PUT "
                + ROOT
                + "/kept HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(ISO_8859_1));
        socket.shutdownOutput();
        assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
            .doesNotContain("HTTP/1.1 2");
      }
    }
    assertThat(get("/kept").body()).isEqualTo("{\"a\":\"as it was\"}");
  }

  /// A name that is written in another way is the same component.
  @Test
  void aPatchKnowsComponentsAndNotTheirTexts() throws Exception {
    put("/patched", "{\"a\":1,\"@long:7\":{\"b\":2},\"c\":3}");
    assertThat(patch("/patched", "{\"@string:a\":null,\"@long:07\":{\"d\":4}}").statusCode())
        .isEqualTo(200);
    assertThat(get("/patched").body()).isEqualTo("{\"c\":3,\"@long:7\":{\"b\":2,\"d\":4}}");
    assertThat(patch("/patched", "{\"@long:x\":null}").statusCode()).isEqualTo(400);
  }

  @Test
  void conditionsAreThoseOfHttp() throws Exception {
    String path = "/conditions/a";
    String[] absent = {"Content-Type", JSON, "If-None-Match", "*"};
    assertThat(send("PUT", path, "1", "Content-Type", JSON, "If-Match", "*").statusCode())
        .isEqualTo(412);
    assertThat(get("").body()).doesNotContain("conditions");
    assertThat(send("PUT", path, "1", absent).statusCode()).isEqualTo(201);
    assertThat(send("PUT", path, "2", absent).statusCode()).isEqualTo(412);
    String first = etag(path);
    assertThat(get(path, "If-None-Match", "\"x\", W/" + first).statusCode()).isEqualTo(304);
    assertThat(get(path, "If-None-Match", "\"x\"").statusCode()).isEqualTo(200);
    assertThat(get(path, "If-Match", "\"x\"").statusCode()).isEqualTo(412);
    assertThat(get(path, "If-Match", "x").statusCode()).isEqualTo(400);
    String[] ifFirst = {"Content-Type", JSON, "If-Match", "\"x\", " + first};
    assertThat(send("PUT", path, "2", ifFirst).statusCode()).isEqualTo(200);
    assertThat(send("PUT", path, "3", ifFirst).statusCode()).isEqualTo(412);
    assertThat(send("DELETE", path, "", "If-Match", first).statusCode()).isEqualTo(412);
    assertThat(send("DELETE", path, "", "If-Match", "W/" + etag(path)).statusCode()).isEqualTo(412);
    assertThat(send("PATCH", path, "3", "Content-Type", PATCH, "If-Match", etag(path)).statusCode())
        .isEqualTo(200);
    assertThat(get(path).body()).isEqualTo("3");
    assertThat(put(path, "1").statusCode()).isEqualTo(200);
    assertThat(etag(path)).as("of the same items").isEqualTo(first);
    assertThat(send("DELETE", path, "", "If-Match", first).statusCode()).isEqualTo(200);
  }

  /// Clients that each add to a number that they have read, and patch names of their own.
  @Test
  void concurrentChangesAreOneAfterTheOther() throws Exception {
    int clients = 8;
    int rounds = 25;
    put("/shared/count", "0");
    List<Future<Void>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int client = 0; client < clients; client++) {
        String name = "c" + client;
        Callable<Void> work =
            () -> {
              for (int round = 0; round < rounds; round++) {
                assertThat(
                        patch("/shared", "{\"" + name + "\":{\"" + round + "\":1}}").statusCode())
                    .isEqualTo(200);
                HttpResponse<String> added;
                do {
                  HttpResponse<String> read = get("/shared/count");
                  added =
                      send(
                          "PUT",
                          "/shared/count",
                          "" + (Integer.parseInt(read.body()) + 1),
                          "Content-Type",
                          JSON,
                          "If-Match",
                          read.headers().firstValue("ETag").orElseThrow());
                } while (added.statusCode() == 412);
                assertThat(added.statusCode()).isEqualTo(200);
              }
              return null;
            };
        all.add(threads.submit(work));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
    assertThat(get("/shared/count").body()).isEqualTo("" + clients * rounds);
    assertThat(send("HEAD", "/shared", "").headers().firstValue("Varve-Items"))
        .hasValue("" + (clients * rounds + 1));
  }

  /// What a reader sees is what one request has left.
  @Test
  void noReaderSeesAPartOfAChange() throws Exception {
    String[] states =
        Stream.of("a", "b")
            .map(value ->
                Stream.iterate(100, at -> at + 1)
                    .limit(400)
                    .map(at -> "\"" + at + "\":\"" + value + "\"")
                    .collect(Collectors.joining(",", "{", "}")))
            .toArray(String[]::new);
    put("/states", states[0]);
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<Void> writer =
          threads.submit(() -> {
            for (int round = 0; round < 40; round++) {
              put("/states", states[round % 2]);
            }
            return null;
          });
      while (!writer.isDone()) {
        assertThat(get("/states").body()).isIn((Object[]) states);
      }
      writer.get();
    }
  }

  @Test
  void manyItemsAreRefusedAsOneValueAndRemovedAsOne() throws Exception {
    for (int part = 0; part < 4; part++) {
      int start = part * 100_000;
      String json =
          IntStream.range(start, start + 100_000)
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(",", "[", "]"));
      assertThat(put("/many/@long:" + part, json).statusCode()).isEqualTo(201);
    }
    HttpResponse<String> all = get("/many");
    assertThat(all.statusCode()).isIn(200, 400); // by the heap
    assertThat(get("/many/@long:3").body()).startsWith("[300000,300001,").endsWith(",399999]");
    assertThat(put("/many", "{\"few\":1}").body()).contains("\"changed\":400001");
    assertThat(get("/many").body()).isEqualTo("{\"few\":1}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "421 | Host: evil.example",
        "403 | Host: localhost; Origin: http://evil.example",
        "403 | Host: localhost; Origin: null",
        "403 | Host: localhost; Referer: http://evil.example/",
        "403 | Host: localhost; Sec-Fetch-Site: cross-site",
      })
  void aPageOfAnotherSiteIsRefused(int status, String headers) throws IOException {
    var http = new RawHttp(node.port());
    for (String method : new String[] {"PUT", "PATCH", "POST", "DELETE"}) {
      assertThat(
              http.send(
                      method + " " + ROOT + "/foreign",
                      "1",
                      (headers + "; Content-Type: application/json").split("; "))
                  .status())
          .isEqualTo(status);
    }
    assertThat(http.send("GET " + ROOT + "/foreign", "", "Host: localhost").status())
        .isEqualTo(404);
  }

  @Test
  void filesAreOfTheirOwnerAloneAndFiguresAreShown() throws Exception {
    put("/figures", "1");
    var directory = data.resolve(ItemStore.DIRECTORY);
    assertThat(Files.getPosixFilePermissions(directory))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    HttpRequest metrics =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + "/metrics")).build();
    assertThat(HTTP.send(metrics, BodyHandlers.ofString()).body())
        .containsPattern("varve_commits_total\\{[^}]*store=\"items\"");
    var control = new ControlClient(directory);
    assertThat(control.spaces()).anyMatch(space -> space.name().equals("figures"));
  }
}
