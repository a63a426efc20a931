package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node with users and TLS: a client that gives no name or a wrong one gets nothing, and each
/// gets what the role allows.
@Timeout(300)
class ProtectedNodeTest {
  @TempDir static Path data;

  private static Node node;
  private static SSLContext trust;

  @BeforeAll
  static void start() throws Exception {
    Users users = new Users(NodeDirectory.configuration(data));
    users.set("alice", "secret", Role.ADMIN);
    users.set("olga", "secret", Role.OBSERVER);
    node = Serving.node(data, "--tls", "--resp-port", Serving.freePort());
    trust = Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"));
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @Test
  void filesAreTheUsersAlone() throws Exception {
    for (String directory : List.of("conf", "data")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(directory))))
          .isEqualTo("rwx------");
    }
    for (String file : List.of("node.lock", "conf/users.properties", "conf/self-made.p12")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
          .isEqualTo("rw-------");
    }
  }

  private static int rest(String method, String path, String credentials) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(trust).build()) {
      var request =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + node.port() + path))
              .method(method, HttpRequest.BodyPublishers.ofString("x"));
      if (!credentials.isEmpty()) {
        String encoded = Base64.getEncoder().encodeToString(credentials.getBytes());
        request.header("Authorization", "Basic " + encoded);
      }
      return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void restKnowsUsersAndRoles() throws Exception {
    String entry = "/rest/v2/caches/default/k";
    assertThat(rest("PUT", entry, "")).isEqualTo(401);
    assertThat(rest("PUT", entry, "alice:wrong")).isEqualTo(401);
    assertThat(rest("PUT", entry, "alice:secret")).isEqualTo(204);
    assertThat(rest("GET", entry, "olga:secret")).isEqualTo(200);
    assertThat(rest("PUT", entry, "olga:secret")).isEqualTo(403);
    assertThat(rest("POST", "/rest/v2/caches/made?template=varve", "olga:secret")).isEqualTo(403);
    assertThat(rest("POST", "/rest/v2/caches/made?template=varve", "alice:secret")).isEqualTo(200);
    assertThat(rest("PUT", "/rest/v2/caches/made/k", "olga:secret")).isEqualTo(403);
  }

  /// DEFINITION-1. It was answered 403, after the definition had been read for nobody.
  @Test
  void aDefinitionIsReadOfUsersAlone() throws Exception {
    String made = "/rest/v2/caches/defined";
    assertThat(rest("POST", made, "")).isEqualTo(401);
    assertThat(rest("POST", made, "alice:wrong")).isEqualTo(401);
    assertThat(rest("POST", made, "alice:secret")).isEqualTo(403);
  }

  /// REST-4. Infinispan asks for no user where it carries nothing out.
  @Test
  void aDefinitionForNothingIsNotRead() throws Exception {
    assertThat(rest("POST", "/rest/v2/container/nothing", "")).isEqualTo(404);
    assertThat(rest("POST", "/rest/v2/caches?action=nothing", "")).isEqualTo(400);
  }

  @Test
  void hotRodKnowsUsers() {
    try (RemoteCacheManager alice = new RemoteCacheManager(hotRod("alice", "secret").build())) {
      Clients.cache(alice).put("hot", "rod");
      assertThat(Clients.cache(alice).get("hot")).isEqualTo("rod");
    }
    assertThatThrownBy(
            () -> {
              try (RemoteCacheManager wrong =
                  new RemoteCacheManager(hotRod("alice", "wrong").maxRetries(0).build())) {
                Clients.cache(wrong).get("hot");
              }
            })
        .isInstanceOf(HotRodClientException.class);
  }

  private static ConfigurationBuilder hotRod(String user, String password) {
    var configuration = Clients.hotRodConfiguration(node.port());
    configuration.security().ssl().enable().sslContext(trust).sniHostName("localhost");
    configuration.security().authentication().username(user).password(password);
    return configuration;
  }

  @Test
  void redisKnowsUsers() {
    for (int port : new int[] {node.port(), node.respPort()}) {
      try (RedisClient alice = RedisClient.create(redis(port, "secret"));
          var connection = alice.connect()) {
        connection.sync().set("re", "dis");
        assertThat(connection.sync().get("re")).isEqualTo("dis");
      }
      assertThatThrownBy(
              () -> {
                try (RedisClient wrong = RedisClient.create(redis(port, "wrong"))) {
                  wrong.connect();
                }
              })
          .isInstanceOf(RedisConnectionException.class);
    }
  }

  private static RedisURI redis(int port, String password) {
    return RedisURI.builder()
        .withHost("localhost")
        .withPort(port)
        .withSsl(true)
        .withVerifyPeer(false)
        .withAuthentication("alice", password.toCharArray())
        .build();
  }
}
