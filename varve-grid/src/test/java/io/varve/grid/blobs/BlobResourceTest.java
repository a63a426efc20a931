package io.varve.grid.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.grid.blobs.BlobResource.Answer;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemsCopy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Blobs as requests read and write them, without a node.
@Timeout(60)
class BlobResourceTest {
  private static final int PART = BlobRecord.PART_BYTES;
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().durability(Durability.BACKGROUND);

  @TempDir Path node;
  private ItemStore items;
  private BlobResource blobs;

  @BeforeEach
  void open() {
    items = new ItemStore(node, OPTIONS);
    items.open();
    blobs = new BlobResource(items);
  }

  @AfterEach
  void close() {
    items.close();
    try (Store store = Store.open(made(), OPTIONS)) {
      store.verify().requireSound();
    }
  }

  private Path made() {
    return node.resolve(ItemStore.DIRECTORY);
  }

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      bytes[at] = (byte) (at * 31 + (at >> 12) + seed);
    }
    return bytes;
  }

  private Answer send(String method, String path, InputStream body, String... headers)
      throws IOException {
    HttpHeaders all = new DefaultHttpHeaders();
    for (int at = 0; at < headers.length; at += 2) {
      all.add(headers[at], headers[at + 1]);
    }
    return blobs.answer(
        new BlobResource.Request(
            "a", HttpMethod.valueOf(method), BlobAddress.ROOT + path, all, false, body));
  }

  private Answer send(String method, String path, String... headers) throws IOException {
    return send(method, path, InputStream.nullInputStream(), headers);
  }

  private Answer put(String path, byte[] value, String... headers) throws IOException {
    return send("PUT", path, new ByteArrayInputStream(value), headers);
  }

  private static byte[] content(Answer answer) throws IOException {
    try (InputStream content = Objects.requireNonNull(answer.content(), answer.toString())) {
      byte[] all = content.readAllBytes();
      assertThat(answer.length()).isEqualTo(all.length);
      return all;
    }
  }

  private byte[] get(String path, String... headers) throws IOException {
    return content(send("GET", path, headers));
  }

  private static String tag(Answer answer) {
    return Objects.requireNonNull(answer.headers().get("ETag"));
  }

  private long unfinished() {
    Store store = Objects.requireNonNull(items.present());
    return store.space("~blob-unfinished").count(Range.all());
  }

  private long parts() {
    return Objects.requireNonNull(items.present()).space("~blob-parts").count(Range.all());
  }

  /// What was replaced is removed concurrently.
  private void awaitParts(long count) {
    while (unfinished() > 0) {
      Thread.onSpinWait();
    }
    assertThat(parts()).isEqualTo(count);
  }

  @Test
  void blobsOfAnyLengthAreWrittenReadAndRemoved() throws Exception {
    for (int length : new int[] {0, 1, PART - 1, PART, PART + 1, 2 * PART + 7}) {
      byte[] value = bytes(length, length);
      String path = "/lengths/of/" + length;
      assertThat(put(path, value).status()).isEqualTo(201);
      assertThat(get(path)).isEqualTo(value);
      String[] known = {"Content-Length", "" + length, "Content-Type", "image/png"};
      assertThat(put(path, value, known).status()).isEqualTo(204);
      Answer head = send("HEAD", path);
      assertThat(head.length()).isEqualTo(length);
      assertThat(head.content()).isNull();
      assertThat(head.headers()).containsEntry("Content-Type", "image/png");
      assertThat(get(path)).isEqualTo(value);
      assertThat(send("DELETE", path).status()).isEqualTo(204);
      assertThat(send("GET", path).status()).isEqualTo(404);
      assertThat(send("DELETE", path).status()).isEqualTo(404);
    }
    awaitParts(0);
  }

  @Test
  void aReaderHasTheOldBlobWholeWhileItIsReplaced() throws Exception {
    byte[] old = bytes(3 * PART, 1);
    put("/photos/a", old);
    Answer reading = send("GET", "/photos/a");
    put("/photos/a", bytes(10, 2));
    awaitParts(1);
    assertThat(content(reading)).isEqualTo(old);
    assertThat(get("/photos/a")).isEqualTo(bytes(10, 2));
  }

  /// A client that leaves in the middle, or a body that is longer than it states.
  @Test
  void aBodyThatFailsLeavesTheOldBlobAndNothingElse() throws Exception {
    put("/photos/a", bytes(5, 1));
    var broken =
        new SequenceInputStream(
            new ByteArrayInputStream(bytes(2 * PART + 5, 2)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("gone");
              }
            });
    assertThatThrownBy(() -> send("PUT", "/photos/a", broken)).hasMessage("gone");
    assertThatThrownBy(() -> put("/photos/a", bytes(5, 3), "Content-Length", "4"))
        .isInstanceOf(IOException.class);
    assertThat(get("/photos/a")).isEqualTo(bytes(5, 1));
    awaitParts(1);
  }

  @Test
  void aFullDiskIsAnsweredAndLeavesTheOldBlob() throws Exception {
    items.close();
    items =
        new ItemStore(
            node,
            OPTIONS
                .diskBytesMax(48 << 20)
                .log(log -> log.bytesMax(16 << 20).segmentBytes(4 << 20)));
    items.open();
    blobs = new BlobResource(items);
    put("/photos/a", bytes(5, 1));
    var endless =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public int read(byte[] target, int offset, int count) {
            return count;
          }
        };
    assertThat(send("PUT", "/photos/a", endless).status()).isEqualTo(507);
    assertThat(items.condition()).isEqualTo(ItemStore.Condition.FULL);
    assertThat(get("/photos/a")).isEqualTo(bytes(5, 1));
    awaitParts(1);
    assertThat(put("/photos/a", bytes(2 * PART, 2)).status()).isEqualTo(204);
    assertThat(items.condition()).isEqualTo(ItemStore.Condition.HEALTHY);
  }

  /// BLOB-2: as after a kill in the middle of a write.
  @Test
  void partsOfNoBlobAreRemovedAtTheNextStart() throws Exception {
    put("/photos/a", bytes(2 * PART, 1));
    byte[] id = BlobRecord.newId(0);
    Store store = items.made();
    store.space("~blob-unfinished").put(id, new byte[0]);
    store.space("~blob-parts").put(BlobRecord.partKey(id, 0), bytes(10, 1));
    store.space("~blob-parts").put(BlobRecord.partKey(id, 1), bytes(10, 1));
    close();
    open();
    assertThat(parts()).isEqualTo(4);
    blobs.removeUnfinished();
    awaitParts(2);
    assertThat(get("/photos/a")).isEqualTo(bytes(2 * PART, 1));
  }

  @Test
  void conditionsAreOfTheBlobThatIsThere() throws Exception {
    assertThat(put("/c/a", bytes(1, 1), "If-Match", "*").status()).isEqualTo(412);
    Answer first = put("/c/a", bytes(1, 1), "If-None-Match", "*");
    assertThat(first.status()).isEqualTo(201);
    assertThat(put("/c/a", bytes(1, 2), "If-None-Match", "*").status()).isEqualTo(412);
    Answer second = put("/c/a", bytes(1, 2), "If-Match", tag(first));
    assertThat(second.status()).isEqualTo(204);
    assertThat(put("/c/a", bytes(1, 3), "If-Match", tag(first)).status()).isEqualTo(412);
    assertThat(send("DELETE", "/c/a", "If-Match", tag(first)).status()).isEqualTo(412);
    assertThat(send("GET", "/c/a", "If-None-Match", tag(second)).status()).isEqualTo(304);
    assertThat(send("GET", "/c/a", "If-Match", tag(first)).status()).isEqualTo(412);
    assertThat(send("GET", "/c/a", "If-Match", "a").status()).isEqualTo(400);
    assertThat(get("/c/a")).isEqualTo(bytes(1, 2));
    assertThat(send("DELETE", "/c/a", "If-Match", tag(second)).status()).isEqualTo(204);
  }

  /// BLOB-3: of writers that all have seen one tag, one writes.
  @Test
  void oneOfManyWritersOfATagWrites() throws Exception {
    String seen = tag(put("/c/a", bytes(1, 1)));
    var start = new CountDownLatch(1);
    try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<Answer>>();
      for (int writer = 0; writer < 4; writer++) {
        byte[] value = bytes(writer % 2 == 0 ? 10 : PART + 1, writer);
        answers.add(
            writers.submit(() -> {
              start.await();
              return put("/c/a", value, "If-Match", seen);
            }));
      }
      start.countDown();
      int done = 0;
      for (Future<Answer> answer : answers) {
        done += answer.get().status() == 204 ? 1 : 0;
      }
      assertThat(done).isOne();
    }
    awaitParts(get("/c/a").length > PART ? 2 : 1);
  }

  @Test
  void rangesAreParts() throws Exception {
    byte[] value = bytes(2 * PART + 10, 3);
    String tag = tag(put("/r/a", value));
    int[][] ranges = {
      {0, 0}, {PART - 1, PART}, {PART, 2 * PART + 9}, {2 * PART + 9, 2 * PART + 99}
    };
    for (int[] range : ranges) {
      Answer part = send("GET", "/r/a", "Range", "bytes=" + range[0] + "-" + range[1]);
      int last = Math.min(range[1], value.length - 1);
      assertThat(part.status()).isEqualTo(206);
      assertThat(part.headers().get("Content-Range"))
          .isEqualTo("bytes " + range[0] + "-" + last + "/" + value.length);
      assertThat(content(part)).isEqualTo(Arrays.copyOfRange(value, range[0], last + 1));
    }
    assertThat(get("/r/a", "Range", "bytes=-7"))
        .isEqualTo(Arrays.copyOfRange(value, value.length - 7, value.length));
    assertThat(get("/r/a", "Range", "bytes=2097160-")).hasSize(2);
    assertThat(get("/r/a", "Range", "bytes=0-0", "If-Range", tag)).hasSize(1);
    for (String whole : new String[] {"bytes=0-0,2-2", "lines=1-2", "bytes=5-4", "bytes=-", "x"}) {
      Answer all = send("GET", "/r/a", "Range", whole);
      assertThat(all.status()).isEqualTo(200);
      Objects.requireNonNull(all.content()).close();
    }
    assertThat(get("/r/a", "Range", "bytes=0-0", "If-Range", "\"other\"")).hasSize(value.length);
    for (String none : new String[] {"bytes=" + value.length + "-", "bytes=-0"}) {
      Answer refused = send("GET", "/r/a", "Range", none);
      assertThat(refused.status()).isEqualTo(416);
      assertThat(refused.headers()).containsEntry("Content-Range", "bytes */" + value.length);
    }
  }

  private static String listed(@Nullable String json) {
    return String.valueOf(json)
        .replaceAll("\"key\":(\"[^\"]*\")[^}]*", "$1")
        .replaceAll("[{}]", "");
  }

  @Test
  void setsAndKeysAreListed() throws Exception {
    assertThat(send("GET", "").text()).isEqualTo("[]");
    for (String key : new String[] {"b", "a/2", "a/1", "a/3", "%C3%BC%20%2B"}) {
      put("/s/" + key, bytes(3, 0));
    }
    put("/s-other/x", bytes(3, 0));
    assertThat(send("GET", "").text()).isEqualTo("[\"s\",\"s-other\"]");
    assertThat(listed(send("GET", "/s").text()))
        .isEqualTo("[\"a/1\",\"a/2\",\"a/3\",\"b\",\"ü +\"]");
    assertThat(send("GET", "/s/").text())
        .contains("\"bytes\":3", "\"etag\":\"\\\"", "\"modified\"");
    Answer page = send("GET", "/s?prefix=a%2F&limit=2");
    assertThat(listed(page.text())).isEqualTo("[\"a/1\",\"a/2\"]");
    String next = page.headers().get("Link").replaceAll("<" + BlobAddress.ROOT + "(.*)>.*", "$1");
    Answer last = send("GET", next);
    assertThat(listed(last.text())).isEqualTo("[\"a/3\"]");
    assertThat(last.headers()).doesNotContainKey("Link");
    assertThat(send("GET", "/none").text()).isEqualTo("[]");
    for (String bad :
        new String[] {"?a=b", "/s?limit=0", "/s?limit=1001", "/s/a?x", "/s?after=+"}) {
      assertThat(send("GET", bad).status()).as(bad).isEqualTo(400);
    }
    assertThat(send("PUT", "/s").status()).isEqualTo(405);
    assertThat(send("POST", "/s/a").status()).isEqualTo(405);
  }

  /// All were listed, however many there were.
  @Test
  void setsAreListedInPages() throws Exception {
    List<String> sets = List.of("a", "a%01", "a%01b", "ab", "b", "b%20c", "c");
    for (String set : sets) {
      put("/" + set + "/k/1", bytes(1, 0));
      put("/" + set + "/k/2", bytes(1, 0));
    }
    List<String> pages = new ArrayList<>();
    for (String next = "?limit=2"; next != null; ) {
      Answer page = send("GET", next);
      pages.add(page.text());
      String link = page.headers().get("Link");
      next = link == null ? null : link.replaceAll("<" + BlobAddress.ROOT + "(.*)>.*", "$1");
    }
    assertThat(pages)
        .containsExactly(
            "[\"a\",\"a\\u0001\"]", "[\"a\\u0001b\",\"ab\"]", "[\"b\",\"b c\"]", "[\"c\"]");
    assertThat(send("GET", "/?prefix=b&after=a").text()).isEqualTo("[\"b\",\"b c\"]");
    assertThat(send("GET", "?prefix=b&after=c").text()).isEqualTo("[]");
    assertThat(send("GET", "?after=aa").text()).startsWith("[\"ab\"");
    // No name has a zero: what follows one is of a key.
    assertThat(send("GET", "?prefix=a%00k").status()).isEqualTo(400);
    assertThat(send("GET", "?after=a%00").status()).isEqualTo(400);
  }

  /// KEYPAGE-1: a node of 192 MiB had no memory for a page of 1,000 such keys.
  @Test
  void aPageOfLongKeysIsShort() throws Exception {
    String start = "%01".repeat(BlobAddress.KEY_BYTES_MAX - 2);
    for (int number = 10; number < 40; number++) {
      put("/s/" + start + number, bytes(1, 0));
    }
    Answer page = send("GET", "/s");
    assertThat(page.text()).hasSizeBetween(512 << 10, 600 << 10);
    String next = page.headers().get("Link").replaceAll("<" + BlobAddress.ROOT + "(.*)>.*", "$1");
    Answer last = send("GET", next);
    assertThat(last.headers()).doesNotContainKey("Link");
    assertThat((page.text() + last.text()).split("\"key\"", -1)).hasSize(31);
  }

  @Test
  void namesThatAreTooLongAreRefused() throws Exception {
    put("/s/" + "k".repeat(BlobAddress.KEY_BYTES_MAX), bytes(1, 0));
    assertThat(put("/s/" + "k".repeat(BlobAddress.KEY_BYTES_MAX + 1), bytes(1, 0)).status())
        .isEqualTo(400);
    assertThat(put("/" + "s".repeat(201) + "/k", bytes(1, 0)).status()).isEqualTo(400);
    assertThat(put("//k", bytes(1, 0)).status()).isEqualTo(400);
    assertThat(put("/s/%ff", bytes(1, 0)).status()).isEqualTo(400);
    assertThat(put("/s/a", bytes(1, 0), "Content-Range", "bytes 0-0/2").status()).isEqualTo(400);
  }

  @Test
  void aBackupHasTheBlobs(@TempDir Path other) throws Exception {
    byte[] value = bytes(2 * PART + 1, 4);
    String tag = tag(put("/photos/a", value));
    try (ItemsCopy copy = Objects.requireNonNull(items.copy())) {
      put("/photos/a", bytes(1, 0));
      copy.writeTo(other.resolve(ItemStore.DIRECTORY));
    }
    var restored = new ItemStore(other, OPTIONS);
    restored.open();
    try {
      blobs = new BlobResource(restored);
      assertThat(get("/photos/a")).isEqualTo(value);
      assertThat(tag(send("HEAD", "/photos/a"))).isEqualTo(tag);
    } finally {
      restored.close();
    }
  }
}
