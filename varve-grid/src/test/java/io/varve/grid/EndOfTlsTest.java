package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// TLS-1. The end of TLS comes before that of the connection, which was not read: the client
/// continued to wait, and an element was popped for it that nobody got.
@Timeout(120)
class EndOfTlsTest {
  @Test
  void aClientThatWaitsTakesNothingAfterItsEnd(@TempDir Path data) throws Exception {
    try (Node node = Serving.node(data, "--tls")) {
      int port = node.port();
      SSLSocketFactory factory =
          Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"))
              .getSocketFactory();
      try (var redis = new RawResp(factory.createSocket(Clients.HOST, port));
          var socket = new Socket(Clients.HOST, port);
          var ending = factory.createSocket(socket, Clients.HOST, port, /* autoClose= */ false)) {
        socket.setSoTimeout(60_000);
        var waiting = new RawResp(ending);
        assertThat(waiting.call("PING")).isEqualTo("+PONG ");
        waiting.send("BLPOP queue 0\r\n");
        await().until(() -> redis.call("INFO").contains("blocked_clients:1"));
        ((SSLSocket) ending).shutdownOutput();
        await().until(() -> redis.call("INFO").contains("blocked_clients:0"));
        assertThat(redis.call("RPUSH", "queue", "a")).isEqualTo(":1 ");
        assertThat(redis.call("LPOP", "queue")).isEqualTo("$1 a ");
      }
    }
  }
}
