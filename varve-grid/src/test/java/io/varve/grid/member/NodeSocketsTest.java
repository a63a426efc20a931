package io.varve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.infinispan.remoting.transport.jgroups.NamedSocketFactory;
import org.infinispan.server.security.KeyStoreUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// Nodes of one keystore talk to each other, and to no others.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class NodeSocketsTest {
  private static final String PASSWORD = "secret";

  @TempDir Path directory;
  private NamedSocketFactory node;

  @BeforeEach
  void makeKey() throws Exception {
    node = NodeSockets.sockets(keystore("nodes.p12"), PASSWORD);
  }

  private Path keystore(String name) throws Exception {
    Path file = directory.resolve(name);
    char[] password = PASSWORD.toCharArray();
    KeyStoreUtils.generateSelfSignedCertificate(
        file.toString(), null, password, password, "nodes", "nodes");
    return file;
  }

  /// What a server of the node reads first from a client.
  private int readFrom(NamedSocketFactory client, boolean encrypted) throws Exception {
    try (ServerSocket server = server()) {
      CompletableFuture<Integer> read = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try (Socket accepted = server.accept()) {
              read.complete(accepted.getInputStream().read());
            } catch (IOException e) {
              read.completeExceptionally(e);
            }
          });
      try (Socket socket =
          encrypted
              ? client.createSocket("test", server.getInetAddress(), server.getLocalPort())
              : new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.getOutputStream().write("*".repeat(64).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return read.get(30, TimeUnit.SECONDS);
      }
    }
  }

  private ServerSocket server() throws IOException {
    return node.createServerSocket("test", 0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void nodesOfOneKeystoreTalk() throws Exception {
    assertThat(readFrom(node, true)).isEqualTo('*');
  }

  @Test
  void anotherKeyIsRefused() throws Exception {
    NamedSocketFactory other = NodeSockets.sockets(keystore("other.p12"), PASSWORD);
    assertThatThrownBy(() -> readFrom(other, true)).isInstanceOf(Exception.class);
  }

  @Test
  void whoDoesNotEncryptIsRefused() {
    assertThatThrownBy(() -> readFrom(node, false)).hasRootCauseInstanceOf(IOException.class);
  }

  /// The system accepts connections of a process that hangs.
  @Test
  void aNodeThatAcceptsAndStandsStillIsNotWaitedFor() throws Exception {
    try (var still = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = node.createSocket("test", still.getInetAddress(), still.getLocalPort())) {
      assertThatThrownBy(() -> ((SSLSocket) socket).startHandshake())
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aKeystoreThatCannotBeReadIsNamed() throws Exception {
    Path none = Files.createFile(directory.resolve("empty.p12"));
    assertThatThrownBy(() -> NodeSockets.sockets(none, PASSWORD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty.p12");
  }
}
