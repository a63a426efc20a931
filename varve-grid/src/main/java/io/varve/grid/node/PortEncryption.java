package io.varve.grid.node;

import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.infinispan.server.Server;
import org.infinispan.server.configuration.ServerConfigurationBuilder;
import org.infinispan.server.configuration.endpoint.EndpointConfigurationBuilder;

/// Encrypts the port that all protocols share, of a node without users.
///
/// Infinispan 16.0.7 takes the key of that port from its security realm. For RESP it refuses a
/// realm that has a key and no users (ISPN080067). So such a node has its port in no realm, and the
/// key is given to the port itself.
public final class PortEncryption {
  /// Properties of a node: the file of the key that clients are shown, and its password.
  public static final String KEYSTORE = "varve.tls.keystore";

  public static final String PASSWORD = "varve.tls.password";

  private PortEncryption() {}

  /// Gives the key to each port that no realm encrypts, of a server that has not started.
  static void install(Server server, Map<String, String> properties) {
    String keystore = properties.get(KEYSTORE);
    String password = properties.get(PASSWORD);
    if (keystore == null || password == null) {
      return;
    }
    for (EndpointConfigurationBuilder endpoint :
        server
            .getConfigurationBuilderHolder()
            .getGlobalConfigurationBuilder()
            .module(ServerConfigurationBuilder.class)
            .endpoints()
            .endpoints()
            .values()) {
      if (endpoint.securityRealm() == null) {
        endpoint.singlePort().ssl().enable().sslContext(context(keystore, password));
      }
    }
  }

  private static SSLContext context(String keystore, String password) {
    try {
      char[] secret = password.toCharArray();
      KeyStore store = KeyStore.getInstance(new File(keystore), secret);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, secret);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new NodeException(
          "cannot read the keystore: file="
              + keystore
              + ", reason="
              + e.getMessage()
              + "; name another by --tls-keystore",
          e);
    }
  }
}
