package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that encrypts and has no users, as `--tls` alone asks for: Infinispan refuses to start
/// such a one (ISPN080067).
@Timeout(120)
class EncryptedNodeTest {
  @Test
  void aNodeWithoutUsersEncryptsAllItsPorts(@TempDir Path data) throws Exception {
    String respPort = Serving.freePort();
    try (Node node = Serving.node(data, "--tls", "--resp-port", respPort)) {
      SSLContext trust =
          Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"));
      for (int port : new int[] {node.port(), Integer.parseInt(respPort)}) {
        try (var redis = new RawResp(trust.getSocketFactory().createSocket(Clients.HOST, port))) {
          assertThat(redis.call("SET", "k", "a")).isEqualTo("+OK ");
        }
        try (RawResp open = new RawResp(port)) {
          assertThat(open.call("PING")).as("without TLS").doesNotContain("PONG");
        }
      }
      try (HttpClient http = HttpClient.newBuilder().sslContext(trust).build()) {
        URI entry =
            URI.create("https://" + Clients.HOST + ":" + node.port() + "/rest/v2/caches/default/k");
        assertThat(http.send(HttpRequest.newBuilder(entry).build(), BodyHandlers.ofString()).body())
            .isEqualTo("a");
      }
    }
  }
}
