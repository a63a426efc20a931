package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.CachedData;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.Transcoder;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;

/// One connection of one protocol, used by one thread.
interface TableClient extends AutoCloseable {
  void put(int key, byte[] value) throws Exception;

  byte[] get(int key) throws Exception;

  @Override
  void close();

  enum Protocol {
    HOT_ROD,
    REST,
    RESP,
    MEMCACHED;

    TableClient connect(int port, int respPort) throws Exception {
      return switch (this) {
        case HOT_ROD -> new HotRod(Clients.hotRod(port));
        case REST -> new Rest(HttpClient.newHttpClient(), port);
        case RESP -> new Resp(RedisClient.create("redis://" + Clients.HOST + ":" + respPort));
        case MEMCACHED -> new Memcached(Clients.memcached(port));
      };
    }
  }

  final class HotRod implements TableClient {
    private final RemoteCacheManager manager;
    private final RemoteCache<byte[], byte[]> cache;

    HotRod(RemoteCacheManager manager) {
      this.manager = manager;
      this.cache = Clients.bytes(manager);
    }

    @Override
    public void put(int key, byte[] value) {
      cache.put(TableNode.key(key), value);
    }

    @Override
    public byte[] get(int key) {
      return cache.get(TableNode.key(key));
    }

    @Override
    public void close() {
      manager.close();
    }
  }

  record Rest(HttpClient http, int port) implements TableClient {
    private URI uri(int key) {
      return URI.create(
          "http://"
              + Clients.HOST
              + ":"
              + port
              + "/rest/v2/caches/default/"
              + new String(TableNode.key(key), UTF_8));
    }

    @Override
    public void put(int key, byte[] value) throws Exception {
      var request =
          HttpRequest.newBuilder(uri(key))
              .header("Content-Type", "application/octet-stream")
              .PUT(HttpRequest.BodyPublishers.ofByteArray(value))
              .build();
      int status = http.send(request, BodyHandlers.discarding()).statusCode();
      if (status != 204) {
        throw new IllegalStateException("PUT refused: status=" + status);
      }
    }

    @Override
    public byte[] get(int key) throws Exception {
      return http.send(HttpRequest.newBuilder(uri(key)).build(), BodyHandlers.ofByteArray()).body();
    }

    @Override
    public void close() {
      http.close();
    }
  }

  final class Resp implements TableClient {
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    Resp(RedisClient client) {
      this.client = client;
      this.connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @Override
    public void put(int key, byte[] value) {
      connection.sync().set(TableNode.key(key), value);
    }

    @Override
    public byte[] get(int key) {
      return connection.sync().get(TableNode.key(key));
    }

    @Override
    public void close() {
      connection.close();
      client.close();
    }
  }

  record Memcached(MemcachedClient client) implements TableClient {
    @Override
    public void put(int key, byte[] value) throws Exception {
      var set = client.set(new String(TableNode.key(key), UTF_8), 0, value, Bytes.CODEC);
      if (!set.get(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("set refused");
      }
    }

    @Override
    public byte[] get(int key) {
      return client.get(new String(TableNode.key(key), UTF_8), Bytes.CODEC);
    }

    @Override
    public void close() {
      client.shutdown();
    }

    /// Values as they are, which the client would take for texts.
    private static final class Bytes implements Transcoder<byte[]> {
      static final Bytes CODEC = new Bytes();

      @Override
      public boolean asyncDecode(CachedData data) {
        return false;
      }

      @Override
      public CachedData encode(byte[] value) {
        return new CachedData(0, value, getMaxSize());
      }

      @Override
      public byte[] decode(CachedData data) {
        return data.getData();
      }

      @Override
      public int getMaxSize() {
        return CachedData.MAX_SIZE;
      }
    }
  }
}
