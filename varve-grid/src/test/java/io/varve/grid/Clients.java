package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.varve.grid.node.CacheContainer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.ConnectionFactoryBuilder.Protocol;
import net.spy.memcached.MemcachedClient;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.UTF8StringMarshaller;

/// Clients of a node at this machine, as their makers have them. All declare that keys and values
/// are bytes, which for texts are those of UTF-8.
final class Clients {
  static final String HOST = "127.0.0.1";
  private static final String CACHE = CacheContainer.DEFAULT_CACHE;
  private static final DataFormat BYTES =
      DataFormat.builder()
          .keyType(MediaType.APPLICATION_OCTET_STREAM)
          .valueType(MediaType.APPLICATION_OCTET_STREAM)
          .build();
  private static final DataFormat TEXTS =
      DataFormat.builder()
          .keyType(MediaType.TEXT_PLAIN)
          .keyMarshaller(new UTF8StringMarshaller())
          .valueType(MediaType.TEXT_PLAIN)
          .valueMarshaller(new UTF8StringMarshaller())
          .build();

  private Clients() {}

  /// A client of Hot Rod.
  static RemoteCacheManager hotRod(int port) {
    return new RemoteCacheManager(hotRodConfiguration(port).build());
  }

  static ConfigurationBuilder hotRodConfiguration(int port) {
    var configuration = new ConfigurationBuilder();
    configuration.addServer().host(HOST).port(port);
    // What a large value may take, or a machine that is busy: two seconds are the default.
    configuration.clientIntelligence(ClientIntelligence.BASIC).socketTimeout(120_000);
    return configuration;
  }

  /// The cache of all protocols, as one of texts.
  static RemoteCache<String, String> cache(RemoteCacheManager manager) {
    return cache(manager, CACHE);
  }

  /// A cache of bytes, as one of texts.
  static RemoteCache<String, String> cache(RemoteCacheManager manager, String name) {
    return manager.getCache(name).withDataFormat(TEXTS);
  }

  /// The cache of all protocols, as bytes. That is said, since a client's first requests come
  /// before it has learned what the cache holds.
  static RemoteCache<byte[], byte[]> bytes(RemoteCacheManager manager) {
    return manager.getCache(CACHE).withDataFormat(BYTES);
  }

  /// A client of RESP, which sends HELLO first, as the port of all protocols wants it.
  static RedisClient redis(int port) {
    return RedisClient.create(RedisURI.create(HOST, port));
  }

  /// A client of memcached's binary protocol.
  static MemcachedClient memcached(int port) throws IOException {
    return memcached(port, Protocol.BINARY);
  }

  /// A client of memcached's text protocol, for a port of its own.
  static MemcachedClient memcachedText(int port) throws IOException {
    return memcached(port, Protocol.TEXT);
  }

  private static MemcachedClient memcached(int port, Protocol protocol) throws IOException {
    var factory = new ConnectionFactoryBuilder().setProtocol(protocol).setOpTimeout(60_000).build();
    return new MemcachedClient(factory, List.of(new InetSocketAddress(HOST, port)));
  }

  /// Trusts the certificate in a file, and no other.
  static SSLContext trusting(Path certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      Certificate read = CertificateFactory.getInstance("X.509").generateCertificate(pem);
      store.setCertificateEntry("node", read);
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /// A client of REST.
  ///
  /// @param authorization its credentials; none are sent if it is empty
  record Rest(HttpClient http, URI node, String authorization) implements AutoCloseable {
    static Rest of(int port) {
      return new Rest(HttpClient.newHttpClient(), URI.create("http://" + HOST + ":" + port), "");
    }

    URI entry(String key) {
      return node.resolve("/rest/v2/caches/" + CACHE + "/" + key);
    }

    int put(String key, String value) throws IOException, InterruptedException {
      return send(HttpRequest.newBuilder(entry(key))
              .PUT(HttpRequest.BodyPublishers.ofString(value))
              .build())
          .statusCode();
    }

    HttpResponse<String> get(String key) throws IOException, InterruptedException {
      return send(HttpRequest.newBuilder(entry(key)).build());
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
      HttpRequest.Builder known = HttpRequest.newBuilder(request, (_, _) -> true);
      if (!authorization.isEmpty()) {
        known.header("Authorization", authorization);
      }
      return http.send(known.build(), BodyHandlers.ofString(UTF_8));
    }

    @Override
    public void close() {
      http.close();
    }
  }

  /// Sends bytes, a letter each, and reads what comes until the end of the connection.
  ///
  /// @param ends whether the client ends its output after them
  static String answers(int port, String requests, boolean ends) throws IOException {
    try (Socket socket = new Socket(HOST, port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(requests.getBytes(ISO_8859_1));
      if (ends) {
        socket.shutdownOutput();
      }
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
