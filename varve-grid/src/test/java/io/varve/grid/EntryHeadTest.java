package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `HEAD` and `GET` of entries by REST.
@Timeout(120)
class EntryHeadTest extends SharedNode {
  private static final String KEY = "/rest/v2/caches/default/head";

  /// ENTRYLENGTH-1. It was 0.
  @Test
  void theLengthIsThatOfTheEntry() throws Exception {
    var http = new RawHttp(node.port());
    http.send("PUT " + KEY, "a".repeat(1_234));
    RawHttp.Answer head = http.send("HEAD " + KEY, "");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.text()).containsIgnoringCase("content-length: 1234\r\n").endsWith("\r\n\r\n");
    assertThat(head.text()).doesNotContain("varve-length", "aaa");
    assertThat(http.send("GET " + KEY, "").text())
        .containsIgnoringCase("content-length: 1234\r\n")
        .endsWith("aaa");
    assertThat(http.send("HEAD " + KEY + "-absent", "").status()).isEqualTo(404);
  }

  /// ENTRYLENGTH-1. It was that of the entry, where `GET` has fewer bytes.
  @Test
  void aLengthThatIsCompressedIsNotStated() throws Exception {
    var http = new RawHttp(node.port());
    http.send("PUT " + KEY + "-gzip", "a".repeat(5_000));
    RawHttp.Answer head = http.send("HEAD " + KEY + "-gzip", "", "Accept-Encoding: gzip");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.text())
        .doesNotContainIgnoringCase("length")
        .containsIgnoringCase("transfer-encoding: chunked\r\n")
        .endsWith("\r\n\r\n");
    assertThat(http.send("GET " + KEY + "-gzip", "", "Accept-Encoding: gzip").text())
        .containsIgnoringCase("content-encoding: gzip");
  }

  /// ENTRYGET-1. Beyond 24 days it was a number that had lost its upper bits.
  @Test
  void theTimeToExpiryIsCountedInFull() throws Exception {
    var http = new RawHttp(node.port());
    http.send("PUT " + KEY + "-long", "a", "timeToLiveSeconds: 5000000");
    String line = "GET " + KEY + "-long";
    assertThat(http.send(line, "").text())
        .containsPattern("(?i)cache-control: max-age=(4999\\d\\d\\d|5000000)\r\n")
        .containsPattern("(?i)expires: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n");
    assertThat(http.send(line, "", "Cache-Control: min-fresh=4000000").status()).isEqualTo(200);
    assertThat(http.send(line, "", "Cache-Control: min-fresh=6000000").status()).isEqualTo(404);
    http.send("PUT " + KEY + "-short", "a", "timeToLiveSeconds: 1000");
    assertThat(http.send("GET " + KEY + "-short", "").text())
        .containsPattern("(?i)cache-control: max-age=(9\\d\\d|1000)\r\n");
  }

  /// ENTRYGET-2. It was answered 500.
  @Test
  void anEntryOfTheFarFutureIsRead() throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SET", "far", "v", "EX", "900000000000")).isEqualTo("+OK ");
    }
    RawHttp.Answer far = new RawHttp(node.port()).send("GET /rest/v2/caches/default/far", "");
    assertThat(far.status()).isEqualTo(200);
    assertThat(far.text())
        .containsIgnoringCase("expires: Fri, 31 Dec 9999 23:59:59 GMT\r\n")
        .containsIgnoringCase("cache-control: max-age=2147483647\r\n")
        .endsWith("\r\n\r\nv");
  }

  /// ENTRYGET-3. There was no answer.
  @Test
  void aConditionWithoutADateIsPassedOver() throws Exception {
    var http = new RawHttp(node.port());
    http.send("PUT " + KEY + "-dated", "a", "timeToLiveSeconds: 1000");
    String line = "GET " + KEY + "-dated";
    assertThat(http.send(line, "", "If-Modified-Since: never").status()).isEqualTo(200);
    assertThat(http.send(line, "", "If-Unmodified-Since: never").status()).isEqualTo(200);
    String late = "Fri, 31 Dec 2100 23:59:59 GMT";
    String early = "Fri, 01 Jan 2010 00:00:00 GMT";
    assertThat(http.send(line, "", "If-Modified-Since: " + late).status()).isEqualTo(304);
    assertThat(http.send(line, "", "If-Modified-Since: " + early).status()).isEqualTo(200);
    assertThat(http.send(line, "", "If-Unmodified-Since: " + early).status()).isEqualTo(412);
    assertThat(http.send(line, "", "Accept: image/png").status()).isEqualTo(406);
    assertThat(http.send("GET " + KEY + "-absent", "").status()).isEqualTo(404);
  }
}
