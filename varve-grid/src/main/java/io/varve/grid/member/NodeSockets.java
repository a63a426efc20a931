package io.varve.grid.member;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.remoting.transport.jgroups.NamedSocketFactory;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/// The sockets by which nodes talk to each other, where they have a keystore in common: TLS 1.3, by
/// which each shows the certificate of that keystore and takes no other.
public final class NodeSockets {
  /// The property of a node's configuration that names the keystore.
  public static final String KEYSTORE = "varve.cluster.keystore";

  /// The property with its password.
  public static final String PASSWORD = "varve.cluster.password";

  /// From when the socket is made. Connecting takes up to 300 ms of it.
  private static final long HANDSHAKE_MILLIS_MAX = 1_300;

  private NodeSockets() {}

  /// Encrypts what nodes send each other, if the configuration names a keystore.
  public static void install(GlobalConfigurationBuilder global, Map<String, String> properties) {
    String keystore = properties.get(KEYSTORE);
    if (keystore != null) {
      global
          .transport()
          .addProperty(
              JGroupsTransport.SOCKET_FACTORY,
              sockets(Path.of(keystore), properties.getOrDefault(PASSWORD, "")));
    }
  }

  /// The password in the first line of a file.
  ///
  /// @throws IllegalArgumentException if it cannot be read
  public static String password(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.isEmpty() ? "" : lines.getFirst();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read the password of the nodes: file=" + file + ", reason=" + e.getMessage(), e);
    }
  }

  /// Sockets that are encrypted with the key of a keystore.
  ///
  /// @throws IllegalArgumentException if the keystore cannot be read, or holds no key
  public static NamedSocketFactory sockets(Path keystore, String password) {
    try {
      SSLContext context = context(keystore, password);
      return new NamedSocketFactory(
          () -> new Bounded(context.getSocketFactory()),
          () -> new Authenticating(context.getSocketFactory()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "cannot read the keystore of the nodes: file=" + keystore + ", reason=" + e.getMessage(),
          e);
    }
  }

  /// Closes a socket whose handshake is not done in time. JGroups shakes hands on the one thread
  /// that sends to all nodes, and without a bound: a node that hangs accepts connections, and those
  /// that ask it would have nothing to say to each other.
  @SuppressWarnings("FutureReturnValueIgnored") // no thread waits for a close
  private static Socket bounded(Socket made) {
    SSLSocket socket = (SSLSocket) made;
    var done = new CompletableFuture<Void>();
    socket.addHandshakeCompletedListener(_ -> done.complete(null));
    done.orTimeout(HANDSHAKE_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .whenComplete((_, late) -> {
          if (late != null) {
            // A peer that hangs does not take what close() sends either.
            Thread.ofPlatform().daemon().name("varve-handshake").start(() -> Util.close(socket));
          }
        });
    return socket;
  }

  /// Sockets that shake hands in time or not at all.
  private static final class Bounded extends SocketFactory {
    private final SocketFactory sockets;

    Bounded(SocketFactory sockets) {
      this.sockets = sockets;
    }

    @Override
    public Socket createSocket() throws IOException {
      return bounded(sockets.createSocket());
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return bounded(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort)
        throws IOException {
      return bounded(sockets.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return bounded(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
        throws IOException {
      return bounded(sockets.createSocket(host, port, local, localPort));
    }
  }

  private static SSLContext context(Path keystore, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(keystore.toFile(), password.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        trusted.setCertificateEntry(alias, store.getCertificate(alias));
      }
    }
    if (trusted.size() == 0) {
      throw new GeneralSecurityException("it holds no key");
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password.toCharArray());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /// Ports that accept those that have shown a certificate ([HandshakeSockets]).
  private static final class Authenticating extends ServerSocketFactory {
    private final SSLSocketFactory encryption;

    Authenticating(SSLSocketFactory encryption) {
      this.encryption = encryption;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
      return new HandshakeSockets(encryption, HANDSHAKE_MILLIS_MAX);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return createServerSocket(port, 0, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
      return createServerSocket(port, backlog, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address)
        throws IOException {
      ServerSocket socket = createServerSocket();
      try {
        socket.bind(new InetSocketAddress(address, port), backlog);
        return socket;
      } catch (IOException e) {
        Util.close(socket);
        throw e;
      }
    }
  }
}
