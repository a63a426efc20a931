package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.grid.backup.BackupTask;
import io.varve.grid.node.NodeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Asks a node that runs to do something.
final class NodeClient implements AutoCloseable {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final URI node;
  private final @Nullable String credentials;
  private final HttpClient http;

  /// @param node where it listens
  /// @param user whose password is given, or null where none is asked for
  /// @param certificate that the node shows, or null for those that the JDK trusts
  ///
  /// @throws NodeException if a password would go over the network as it is
  NodeClient(URI node, @Nullable String user, String password, @Nullable Path certificate) {
    if (user != null && !"https".equals(node.getScheme())) {
      throw new NodeException(
          "passwords go to nodes that encrypt alone: url="
              + node
              + "; say https:, and --tls where the node is started, or ask by another client: curl"
              + " --digest -u "
              + user);
    }
    this.node = node;
    this.credentials =
        user == null
            ? null
            : "Basic "
                + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_MAX);
    if (certificate != null) {
      builder.sslContext(trusting(certificate));
    }
    this.http = builder.build();
  }

  private static SSLContext trusting(Path certificate) {
    try (InputStream pem = Files.newInputStream(certificate)) {
      Certificate read = CertificateFactory.getInstance("X.509").generateCertificate(pem);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("node", read);
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new NodeException("cannot read the certificate: file=" + certificate, e);
    }
  }

  /// Has all nodes make a backup. Waits until it is on stable storage, however long that takes.
  ///
  /// @return what the node answers
  String backUp(String name) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                node.resolve(
                    "/rest/v2/tasks/"
                        + BackupTask.NAME
                        + "?action=exec&param.name="
                        + URLEncoder.encode(name, UTF_8)))
            .POST(HttpRequest.BodyPublishers.noBody());
    if (credentials != null) {
      request.header("Authorization", credentials);
    }
    HttpResponse<String> answer;
    try {
      answer = http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new NodeException(
          "the node does not answer: url="
              + node
              + ", reason="
              + reason(e)
              + "; name one that runs by --url, with https: where it encrypts, and the certificate"
              + " that it has made by --trust",
          e);
    }
    return switch (answer.statusCode()) {
      case UNAUTHORIZED, FORBIDDEN ->
          throw new NodeException(
              "the node does not let this user make backups: url="
                  + node
                  + ", status="
                  + answer.statusCode()
                  + "; name one with the role ADMIN by --user");
      case 200 -> answer.body();
      default ->
          throw new NodeException(
              "no backup: status=" + answer.statusCode() + ", reason=" + answer.body().strip());
    };
  }

  private static String reason(IOException failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  @Override
  public void close() {
    http.close();
  }
}
