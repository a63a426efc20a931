package io.varve.grid.items;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.varve.Durability;
import io.varve.StoreOptions;
import io.varve.grid.items.ItemResource.Answer;
import io.varve.grid.items.ItemResource.Request;
import io.varve.grid.items.ItemStore.Condition;
import io.varve.json.ItemJson;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Answers that need no node: of stores that are full, closed, or have too many item spaces.
@Timeout(120)
class ItemResourceTest {
  private static final long BYTES_MAX = 16 << 20;

  @TempDir Path directory;

  private static Answer send(ItemResource items, String method, String path, String body) {
    var headers = new DefaultHttpHeaders();
    headers.set("Content-Type", "application/json");
    return items.answer(
        new Request(
            HttpMethod.valueOf(method),
            ItemAddress.ROOT + path,
            headers,
            Unpooled.copiedBuffer(body, UTF_8)));
  }

  private static String text(Answer answer) {
    return answer.body() == null ? "" : new String(answer.body(), UTF_8);
  }

  /// A change for which there is no capacity leaves nothing for the commit of the next.
  @Test
  void aFullDiskChangesNothing() {
    var store =
        new ItemStore(
            directory,
            StoreOptions.defaults()
                .durability(Durability.PROCESS_CRASH)
                .diskBytesMax(48 << 20)
                .log(log -> log.bytesMax(16 << 20).segmentBytes(4 << 20)));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    try {
      String[] texts = new String[400];
      int written = 0;
      Answer answer;
      do {
        for (int at = 0; at < texts.length; at++) {
          texts[at] = "\"%d-%d-%s\"".formatted(written, at, "x".repeat(2_000));
        }
        answer = send(items, "PUT", "/full/" + written, "[" + String.join(",", texts) + "]");
        written += answer.status() == 201 ? 1 : 0;
      } while (answer.status() == 201 && written < 1_000);
      assertThat(answer.status()).as(text(answer)).isEqualTo(507);
      assertThat(text(answer)).startsWith("out of disk: ");
      assertThat(store.condition()).isEqualTo(Condition.FULL);
      assertThat(send(items, "GET", "/full/" + written, "").status()).isEqualTo(404);
      assertThat(send(items, "GET", "/full/0", "").status()).isEqualTo(200);
      assertThat(send(items, "DELETE", "/full/0", "").status()).isEqualTo(200);
      assertThat(send(items, "GET", "/full/" + written, "").status()).isEqualTo(404);
      assertThat(store.condition()).isEqualTo(Condition.FULL);
      assertThat(send(items, "PUT", "/full/x", "1").status()).isEqualTo(201);
      assertThat(store.condition()).isEqualTo(Condition.HEALTHY);
    } finally {
      store.close();
    }
  }

  @Test
  void aStoreThatIsNotOpenAnswersThatTheNodeStops() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    var items = new ItemResource(store, BYTES_MAX);
    assertThat(send(items, "PUT", "/a/b", "1").status()).isEqualTo(503);
    store.open();
    assertThat(send(items, "PUT", "/a/b", "1").status()).isEqualTo(201);
    store.close();
    assertThat(send(items, "PUT", "/a/b", "1").status()).isEqualTo(503);
    store.close();
  }

  @Test
  void thereAreNoMoreItemSpacesThanTheBound() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    for (int space = 0; space < ItemStore.SPACES_MAX; space++) {
      assertThat(send(items, "PUT", "/s" + space + "/a", "1").status()).isEqualTo(201);
    }
    Answer refused = send(items, "PUT", "/another/a", "1");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(text(refused)).contains("max=1000");
    assertThat(send(items, "PUT", "/s7/b", "2").status()).isEqualTo(201);
    store.close();
  }

  /// What a short body would take is known before it is held.
  @Test
  void aBodyThatNeedsMoreMemoryThanThereIsIsRefused() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    int objects = (int) (Runtime.getRuntime().maxMemory() / 4 / 200) + 1;
    Answer answer = send(items, "PUT", "/a/b", "[" + "{},".repeat(objects) + "1]");
    assertThat(answer.status()).as(text(answer)).isEqualTo(413);
    Answer tooLong = send(items, "PUT", "/a/b", "{\"" + "n".repeat(4_000) + "\":[1,2]}");
    assertThat(tooLong.status()).isEqualTo(201);
    store.close();
  }

  /// PAGE-3: its name was not there, and without it nobody could read what follows.
  @Test
  void aNameThatIsTooLargeForAPageIsLinked() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    String many = "[\"" + "x".repeat(900) + "\",\"" + "y".repeat(900) + "\"]";
    send(items, "PUT", "/a/>", "{\"a\":1,\"b/c\":" + many + ",\"d\":2,\"@string:.\":" + many + "}");
    var small = new ItemResource(store, 1_000);
    Answer refused = send(small, "GET", "/a/>?limit=7", "");
    assertThat(refused.status()).isEqualTo(400);
    String path = ItemAddress.ROOT + "/a/%3E";
    assertThat(refused.headers())
        .containsEntry(
            "Link",
            "<%s/%%40string%%3A.?limit=7>; rel=\"item\", <%s?limit=7&after=.>; rel=\"next\""
                .formatted(path, path));
    Answer before = send(small, "GET", "/a/>?limit=7&after=.", "");
    assertThat(text(before)).isEqualTo("{\"a\":1}");
    assertThat(before.headers().get("Link"))
        .isEqualTo("<" + path + "?limit=7&after=a>; rel=\"next\"");
    Answer second = send(small, "GET", "/a/>/?limit=7&after=a", "");
    assertThat(second.status()).isEqualTo(400);
    assertThat(second.headers().get("Link"))
        .isEqualTo(
            "<%s/b%%2Fc?limit=7>; rel=\"item\", <%s/?limit=7&after=b%%2Fc>; rel=\"next\""
                .formatted(path, path));
    Answer last = send(small, "GET", "/a/>?limit=7&after=b%2Fc", "");
    assertThat(text(last)).isEqualTo("{\"d\":2}");
    assertThat(last.headers()).doesNotContainKey("Link");
    store.close();
  }

  /// PAGE-2: a page of names that each fit has no more of them than an answer may have bytes.
  @Test
  void aPageIsNoLongerThanAnAnswer() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    String text = "\"" + "x".repeat(600) + "\"";
    send(items, "PUT", "/a", "{\"a\":" + text + ",\"b\":" + text + ",\"c\":" + text + "}");
    var small = new ItemResource(store, 1_000);
    for (String after : new String[] {"", "&after=a", "&after=b"}) {
      assertThat(send(small, "GET", "/a?limit=100" + after, "").status()).isEqualTo(200);
    }
    store.close();
  }

  /// `+1` was taken as 1.
  @Test
  void aLimitIsANumberOfNames() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    send(items, "PUT", "/a", "{\"a\":1}");
    for (String limit :
        new String[] {"+1", "%2B1", "-1", "0", "10001", "1e1", " 1", "\u0661", ""}) {
      Answer answer = send(items, "GET", "/a?limit=" + limit, "");
      assertThat(answer.status()).as(limit).isEqualTo(400);
    }
    store.close();
  }

  /// PAGE-3, where memory does not suffice.
  @Test
  void aNameThatNeedsMoreMemoryThanThereIsIsNamed() {
    var store = new ItemStore(directory, StoreOptions.defaults().durability(Durability.NONE));
    store.open();
    var items = new ItemResource(store, BYTES_MAX);
    send(items, "PUT", "/a", "{\"a\":1,\"b\":[1,2,3,4,5,6,7,8,9,10],\"c\":1}");
    try (var snapshot = Objects.requireNonNull(store.present("a")).snapshot()) {
      var budget = new MemoryBudget(4 << 10);
      var asked = new PageRequest("a", 1);
      ItemPage page = ItemPage.find(snapshot, ItemJson.prefix(List.of()), asked, budget, BYTES_MAX);
      assertThat(page.tooLargeName()).isEqualTo("b");
    }
    store.close();
  }
}
