package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A client of TLS 1.2 that begins a handshake on a connection that has one. The node is a process
/// of its own: the JDK reads once whether it refuses them.
@Timeout(120)
class RenegotiationTest {
  private static final byte[] PING = "PING\r\n".getBytes(ISO_8859_1);

  @TempDir Path directory;

  @Test
  void anotherHandshakeEndsTheConnection() throws Exception {
    Path data = directory.resolve("node");
    try (ServeProcess node = ServeProcess.start(data, "--tls");
        var client =
            (SSLSocket)
                Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"))
                    .getSocketFactory()
                    .createSocket(Clients.HOST, node.port())) {
      client.setEnabledProtocols(new String[] {"TLSv1.2"});
      client.setSoTimeout(20_000);
      assertThat(answer(client)).isEqualTo("+PONG");
      client.startHandshake();
      assertThatThrownBy(() -> answer(client)).isInstanceOf(IOException.class);
    }
  }

  private static String answer(SSLSocket client) throws IOException {
    client.getOutputStream().write(PING);
    byte[] line = client.getInputStream().readNBytes("+PONG\r\n".length());
    if (line.length == 0) {
      throw new IOException("the connection has ended");
    }
    return new String(line, ISO_8859_1).strip();
  }
}
