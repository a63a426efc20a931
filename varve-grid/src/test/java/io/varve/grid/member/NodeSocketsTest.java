package io.varve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private int readFrom(NamedSocketFactory client) throws Exception {
    try (ServerSocket server = server()) {
      CompletableFuture<Integer> read = readFromOneOf(server);
      try (Socket socket =
          client.createSocket("test", server.getInetAddress(), server.getLocalPort())) {
        socket.getOutputStream().write("*".repeat(64).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return read.get(30, TimeUnit.SECONDS);
      }
    }
  }

  /// The first byte of the first connection that a server accepts.
  private static CompletableFuture<Integer> readFromOneOf(ServerSocket server) {
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
    return read;
  }

  private ServerSocket server() throws IOException {
    return node.createServerSocket("test", 0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void nodesOfOneKeystoreTalk() throws Exception {
    assertThat(readFrom(node)).isEqualTo('*');
  }

  @Test
  void anotherKeyIsRefused() throws Exception {
    NamedSocketFactory other = NodeSockets.sockets(keystore("other.p12"), PASSWORD);
    assertThatThrownBy(() -> readFrom(other)).isInstanceOf(Exception.class);
  }

  @Test
  void whoDoesNotEncryptIsRefused() throws Exception {
    try (ServerSocket server = server()) {
      CompletableFuture<Integer> read = readFromOneOf(server);
      try (Socket socket = connect(server)) {
        socket.getOutputStream().write("*".repeat(64).getBytes(StandardCharsets.US_ASCII));
        awaitEnd(socket);
      }
      assertThat(read).isNotDone();
      assertThatANodeIsAccepted(server, read);
    }
  }

  private static Socket connect(ServerSocket server) throws IOException {
    Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void awaitEnd(Socket socket) throws IOException {
    try {
      socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // It has ended with bytes that were not read.
    }
  }

  /// A node tries again where its handshake took longer than it may, as on a busy machine. No other
  /// connection is accepted before its own.
  private void assertThatANodeIsAccepted(ServerSocket server, CompletableFuture<Integer> read)
      throws Exception {
    for (int attempt = 1; !read.isDone(); attempt++) {
      try (Socket socket =
          node.createSocket("test", server.getInetAddress(), server.getLocalPort())) {
        socket.getOutputStream().write('n');
        assertThat(read.get(5, TimeUnit.SECONDS)).isEqualTo((int) 'n');
      } catch (IOException e) {
        assertThat(attempt).as("handshakes that failed: %s", e).isLessThan(4);
      }
    }
  }

  /// HANDSHAKE-1
  @Test
  void clientsThatSendNothingKeepNoNodeWaiting() throws Exception {
    try (ServerSocket server = server()) {
      CompletableFuture<Integer> read = readFromOneOf(server);
      List<Socket> silent = new ArrayList<>();
      for (int at = 0; at < 10; at++) {
        silent.add(connect(server));
      }
      assertThatANodeIsAccepted(server, read);
      for (Socket socket : silent) {
        awaitEnd(socket);
        socket.close();
      }
    }
  }

  /// HANDSHAKE-1
  @Test
  void aClientThatSendsByteAfterByteEnds() throws Exception {
    byte[] hello = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 0, 0, 0, 0};
    try (ServerSocket server = server()) {
      CompletableFuture<Integer> read = readFromOneOf(server);
      try (Socket slow = connect(server)) {
        assertThatThrownBy(
                () -> {
                  for (byte part : hello) {
                    slow.getOutputStream().write(part);
                    Thread.sleep(Duration.ofMillis(300));
                  }
                })
            .isInstanceOf(SocketException.class);
      }
      assertThatANodeIsAccepted(server, read);
    }
  }

  /// HANDSHAKE-2
  @Test
  void anAddressHasFewHandshakes() throws Exception {
    try (ServerSocket server = server()) {
      readFromOneOf(server);
      List<Socket> silent = new ArrayList<>();
      for (int at = 0; at < HandshakeSockets.HANDSHAKES_PER_ADDRESS_MAX; at++) {
        silent.add(connect(server));
      }
      long startNanos = System.nanoTime();
      try (Socket socket = connect(server)) {
        awaitEnd(socket);
      }
      assertThat(System.nanoTime() - startNanos).isLessThan(TimeUnit.MILLISECONDS.toNanos(900));
      for (Socket socket : silent) {
        awaitEnd(socket);
        socket.close();
      }
    }
  }

  @Test
  void aPortThatIsClosedEndsTheWait() throws Exception {
    ServerSocket server = server();
    CompletableFuture<Integer> read = readFromOneOf(server);
    server.close();
    assertThatThrownBy(() -> read.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(SocketException.class);
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
