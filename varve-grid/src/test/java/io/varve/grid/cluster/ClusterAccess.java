package io.varve.grid.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.grid.RawResp;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;

/// How clients of a cluster come in: with a name, and over TLS, or without either. Nodes make their
/// certificates themselves, at their first start.
///
/// @param users whether nodes ask for a name, and encrypt
/// @param passwordFile of the one user
/// @param certificates of all nodes
record ClusterAccess(boolean users, Path passwordFile, List<Path> certificates) {
  private static final String USER = "alice";
  private static final String PASSWORD = "secret";
  private static final int ANSWER_MILLIS_MAX = 20_000;

  /// @param nodes the directories of the nodes
  static ClusterAccess of(boolean users, Path directory, List<Path> nodes) throws IOException {
    Path passwordFile = Files.writeString(directory.resolve("alice.password"), PASSWORD);
    return new ClusterAccess(
        users,
        passwordFile,
        nodes.stream().map(node -> node.resolve("conf").resolve("self-made.pem")).toList());
  }

  /// Of `serve`.
  List<String> options() {
    return users
        ? List.of("--user=" + USER, "--password-file=" + passwordFile)
        : List.of("--no-users", "--no-tls");
  }

  String scheme() {
    return users ? "https" : "http";
  }

  /// Lets a client of Hot Rod in.
  void add(ConfigurationBuilder client) {
    if (users) {
      client.security().ssl().enable().sslContext(trust()).sniHostName("localhost");
      client.security().authentication().username(USER).password(PASSWORD);
    }
  }

  /// Lets a client of HTTP in.
  void add(HttpClient.Builder client) {
    if (users) {
      client.sslContext(trust());
    }
  }

  /// Lets a request of HTTP in.
  void add(HttpRequest.Builder request) {
    if (users) {
      byte[] credentials = (USER + ":" + PASSWORD).getBytes(UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    }
  }

  /// A connection of RESP that is let in.
  RawResp resp(String address) throws IOException {
    Socket socket =
        users
            ? trust().getSocketFactory().createSocket(address, ClusterNode.PORT)
            : new Socket(address, ClusterNode.PORT);
    socket.setSoTimeout(ANSWER_MILLIS_MAX);
    var resp = new RawResp(socket);
    if (users && !resp.call("AUTH", USER, PASSWORD).equals("+OK ")) {
      socket.close();
      throw new IOException("the node does not let the client in");
    }
    return resp;
  }

  /// Trusts the nodes that have started once.
  private SSLContext trust() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (Path certificate : certificates) {
        if (Files.exists(certificate)) {
          try (InputStream pem = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                certificate.toString(),
                CertificateFactory.getInstance("X.509").generateCertificate(pem));
          }
        }
      }
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("certificates of nodes cannot be read", e);
    }
  }
}
