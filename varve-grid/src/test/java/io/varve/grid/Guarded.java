package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.infinispan.server.security.KeyStoreUtils;

/// Nodes as operators have them: with a user, TLS for clients, and a key that nodes have in common;
/// and clients that come in.
final class Guarded {
  private static final String USER = "alice";
  private static final String PASSWORD = "secret";

  private final List<String> options;
  private final Map<Node, Path> directories = new HashMap<>();

  /// @param directory in which keys and passwords are made
  Guarded(Path directory) {
    Path passwordFile = directory.resolve("alice.password");
    Path keystore = directory.resolve("nodes.p12");
    Path keystorePassword = directory.resolve("nodes.password");
    try {
      Files.writeString(passwordFile, PASSWORD);
      Files.writeString(keystorePassword, PASSWORD);
      char[] password = PASSWORD.toCharArray();
      KeyStoreUtils.generateSelfSignedCertificate(
          keystore.toString(), null, password, password, "nodes", "nodes");
    } catch (Exception e) {
      throw new IllegalStateException("keys of nodes cannot be made", e);
    }
    options =
        List.of(
            "--user=" + USER,
            "--password-file=" + passwordFile,
            "--tls",
            "--cluster-keystore=" + keystore,
            "--cluster-password-file=" + keystorePassword);
  }

  /// Starts a node.
  ///
  /// @param more options; one without `--cluster` has none of the others either
  Node node(Path data, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    boolean cluster = all.stream().anyMatch(option -> option.startsWith("--cluster="));
    options.stream().filter(option -> cluster || !option.startsWith("--cluster")).forEach(all::add);
    Node node = Serving.node(data, all.toArray(String[]::new));
    directories.put(node, data);
    return node;
  }

  private SSLContext trust(Node node) {
    Path data = Objects.requireNonNull(directories.get(node));
    try {
      return Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"));
    } catch (Exception e) {
      throw new IllegalStateException("the certificate of the node cannot be read", e);
    }
  }

  /// A client of REST.
  Rest rest(Node node) {
    String credentials =
        Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(US_ASCII));
    return new Rest(
        HttpClient.newBuilder().sslContext(trust(node)).build(),
        URI.create("https://" + Clients.HOST + ":" + node.port()),
        "Basic " + credentials);
  }

  /// A connection of RESP.
  TextMemcached memcached(Node node) throws IOException {
    var memcached =
        new TextMemcached(trust(node).getSocketFactory().createSocket(Clients.HOST, node.port()));
    if (!"STORED".equals(memcached.store("set login 0 0", USER + " " + PASSWORD))) {
      throw new IOException("the node does not let the client in");
    }
    return memcached;
  }

  RawResp resp(Node node) throws IOException {
    Socket socket = trust(node).getSocketFactory().createSocket(Clients.HOST, node.port());
    socket.setSoTimeout(60_000);
    var resp = new RawResp(socket);
    if (!resp.call("AUTH", USER, PASSWORD).equals("+OK ")) {
      throw new IOException("the node does not let the client in");
    }
    return resp;
  }
}
