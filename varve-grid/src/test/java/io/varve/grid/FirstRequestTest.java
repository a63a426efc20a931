package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.varve.grid.guard.connection.Limits;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Protection;
import io.varve.grid.security.Role;
import io.varve.grid.security.Tls;
import io.varve.grid.security.Users;
import io.varve.grid.status.NodeStatus;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.infinispan.server.security.KeyStoreUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// CONNECTION-3: the first request of a connection may take longer than it may take to come.
@Tag("slow")
@Timeout(300)
class FirstRequestTest {
  private static final Duration WITHIN = Duration.ofSeconds(2);
  private static final String USER = "alice";
  private static final String PASSWORD = "secret";

  /// Sent in this many parts, each half a second after the one before it.
  private static final int PARTS = 6;

  private static final byte[] PART = new byte[16 << 10];

  @TempDir Path data;

  @Test
  void aFirstRequestTakesAsLongAsItDoes() throws Exception {
    try (Node node = start(new Protection(false, null))) {
      try (var redis = new RawResp(node.port())) {
        assertThat(redis.call("BLPOP", "none", "5")).isEqualTo("*-1 ");
        assertThat(redis.call("PING")).isEqualTo("+PONG ");
      }
      upload(SocketFactory.getDefault(), node.port());
    }
  }

  @Test
  void soItDoesWithTls() throws Exception {
    Path keystore = data.resolve("node.p12");
    char[] password = PASSWORD.toCharArray();
    KeyStoreUtils.generateSelfSignedCertificate(
        keystore.toString(), null, password, password, "varve", "localhost");
    new Users(NodeDirectory.configuration(data)).set(USER, PASSWORD, Role.ADMIN);
    var protection = new Protection(true, new Tls(keystore, PASSWORD, false, Set.of()));
    try (Node node = start(protection)) {
      SSLSocketFactory encrypted = trusting(keystore).getSocketFactory();
      upload(encrypted, node.port());
      try (var silent = new Socket(Clients.HOST, node.port())) {
        silent.setSoTimeout(60_000);
        var client = (SSLSocket) encrypted.createSocket(silent, Clients.HOST, node.port(), true);
        client.startHandshake();
        assertThatCode(() -> silent.getInputStream().readAllBytes())
            .as("the node ends the connection")
            .doesNotThrowAnyException();
      }
    }
  }

  /// An upload that takes longer than a first request may, and comes all the time.
  private static void upload(SocketFactory sockets, int port) throws Exception {
    try (Socket http = sockets.createSocket(Clients.HOST, port)) {
      http.setSoTimeout(60_000);
      OutputStream out = http.getOutputStream();
      String head =
          "PUT /rest/v2/caches/default/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
              + Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(US_ASCII))
              + "\r\nContent-Type: application/octet-stream\r\nContent-Length: "
              + PARTS * PART.length
              + "\r\n\r\n";
      out.write(head.getBytes(US_ASCII));
      for (int part = 0; part < PARTS; part++) {
        Thread.sleep(Duration.ofMillis(500));
        out.write(PART);
        out.flush();
      }
      InputStream in = http.getInputStream();
      assertThat(new String(in.readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 204");
    }
  }

  private static SSLContext trusting(Path keystore) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keystore)) {
      store.load(in, PASSWORD.toCharArray());
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private Node start(Protection protection) {
    var limits =
        new Limits(
            Set.of("localhost"),
            1 << 20,
            100,
            100,
            0,
            WITHIN,
            Duration.ofMinutes(1),
            Duration.ZERO);
    var endpoints =
        new Endpoints(
            Clients.HOST, 0, OptionalInt.empty(), OptionalInt.empty(), 1 << 20, protection);
    CacheContainer container = CacheContainer.local();
    Map<String, String> properties = new HashMap<>(endpoints.properties());
    properties.put("varve.durability", "PROCESS_CRASH");
    properties.put("varve.entries", "1000");
    properties.put("varve.memory", "1 MiB");
    properties.put("varve.pages", "1 MiB");
    var layers = List.of(endpoints.layer(), container.layer());
    return Node.start(new NodeConfiguration(data, layers, properties, limits, new NodeStatus()));
  }
}
