package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Schemes of logins of HTTP at a node that does not encrypt, where `Digest` alone is offered. The
/// node is a process of its own: one that Infinispan has stopped takes digests with it from others
/// of its process.
@Timeout(120)
class HttpSchemesTest {
  private static final String ITEMS = "/rest/v2/varve/items/schemes";

  @TempDir static Path directory;

  private static ServeProcess node;

  @BeforeAll
  static void start() throws Exception {
    Path data = directory.resolve("node");
    new Users(NodeDirectory.configuration(data)).set(LoggedIn.USER, LoggedIn.PASSWORD, Role.ADMIN);
    node = ServeProcess.start(data, "--durability", "BACKGROUND");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static RawHttp.Answer send(String method, String path, String body, String credentials)
      throws Exception {
    return new RawHttp(node.port())
        .send(
            method + " " + path,
            body,
            "Host: localhost",
            "Content-Type: "
                + (method.equals("PUT") ? "application/json" : "application/merge-patch+json"),
            "Authorization: " + credentials);
  }

  private static String digest(String method, String path, String password) throws Exception {
    String challenge =
        new RawHttp(node.port()).send("GET " + path, "", "Host: localhost").toString();
    String nonce = challenge.replaceAll("(?s).*?nonce=\"([^\"]*)\".*", "$1");
    String realm = challenge.replaceAll("(?s).*?realm=\"([^\"]*)\".*", "$1");
    String secret = md5(LoggedIn.USER + ":" + realm + ":" + password);
    return "Digest username=\"%s\", realm=\"%s\", nonce=\"%s\", uri=\"%s\", response=\"%s\""
        .formatted(
            LoggedIn.USER,
            realm,
            nonce,
            path,
            md5(secret + ":" + nonce + ":" + md5(method + ":" + path)));
  }

  private static String md5(String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(ISO_8859_1)));
  }

  private static int digested(String method, String path, String body) throws Exception {
    return send(method, path, body, digest(method, path, LoggedIn.PASSWORD)).status();
  }

  /// ITEMMESSAGE-1. A digest is of the method that the client sends.
  @Test
  void itemsArePatchedByAClientWithADigest() throws Exception {
    assertThat(digested("PUT", ITEMS, "{\"a\":1}")).isEqualTo(201);
    assertThat(digested("PATCH", ITEMS, "{\"b\":2}")).isEqualTo(200);
    assertThat(digested("POST", ITEMS, "{\"c\":3}")).isEqualTo(200);
    assertThat(digested("GET", ITEMS, "")).isEqualTo(200);
  }

  /// HTTPLOGIN-1. It was counted, and the logins that followed had to wait.
  @Test
  void aSchemeThatIsNotOfferedIsNoFailedLogin() throws Exception {
    for (int count = 0; count < 5; count++) {
      assertThat(send("GET", ITEMS, "", LoggedIn.authorization()).status()).isEqualTo(403);
      assertThat(send("GET", ITEMS, "", "Foo bar").status()).isEqualTo(403);
    }
    String ofPost = digest("POST", ITEMS, LoggedIn.PASSWORD);
    assertThat(send("PATCH", ITEMS, "{\"d\":4}", ofPost).status()).isEqualTo(401);
    // The first that fails has a line immediately, and there is one of this login alone.
    await().untilAsserted(() -> assertThat(failedLogins()).hasSize(1));
    assertThat(failedLogins().getFirst()).contains("protocol=http, count=1;");
  }

  private static List<String> failedLogins() throws IOException {
    return Files.readAllLines(directory.resolve("serve.log")).stream()
        .filter(line -> line.contains("logins failed: "))
        .toList();
  }
}
