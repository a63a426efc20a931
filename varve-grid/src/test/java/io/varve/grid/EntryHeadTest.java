package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `HEAD` of entries by REST.
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
}
