package io.varve.grid.cluster;

import io.varve.grid.cluster.Operation.Kind;
import io.varve.grid.cluster.Operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.jspecify.annotations.Nullable;

/// Clients that put, remove and read entries over Hot Rod, and keep what they were answered. A key
/// has one writer. No call is made again by itself: one that failed has an unknown outcome.
final class ClientLoad implements AutoCloseable {
  private static final int WRITERS = 6;
  private static final int READERS = 2;

  /// Few, so that they are written often, and more than there are segments.
  private static final int KEYS_PER_WRITER = 100;

  /// Longer than nodes wait for each other, so that a client hears what has become of its call.
  private static final int ANSWER_MILLIS_MAX = 20_000;

  /// Puts that are under way at a time where many are made.
  private static final int PUTS_MAX = 128;

  /// Between the calls of each client: the nodes share the processors with it, and one that starts
  /// wants most of them.
  private static final long PAUSE_NANOS = 20_000_000;

  private final List<RemoteCacheManager> direct = new ArrayList<>();
  private final ClusterAccess access;
  private final RemoteCacheManager manager;
  private final RemoteCache<byte[], byte[]> cache;
  private final History history = new History();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Writer> writers = new ArrayList<>();
  private volatile boolean stopping;

  /// Connects to the nodes that serve at some addresses.
  ///
  /// @param name of the load, of which there is one in the life of a cluster
  ClientLoad(List<String> addresses, ClusterAccess access, String name, long seed) {
    this.access = access;
    var builder = new ConfigurationBuilder();
    addresses.forEach(address -> builder.addServer().host(address).port(ClusterNode.PORT));
    builder
        .marshaller(new IdentityMarshaller())
        .maxRetries(0)
        .connectionTimeout(2_000)
        .socketTimeout(ANSWER_MILLIS_MAX);
    access.add(builder);
    manager = new RemoteCacheManager(builder.build());
    cache = manager.getCache("default");
    var random = new SplittableRandom(seed);
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer(name + "-" + i, random.split()));
    }
    for (int i = 0; i < READERS; i++) {
      SplittableRandom mine = random.split();
      threads.add(
          Thread.ofPlatform().daemon().name("reader-" + i).unstarted(() -> readOn(cache, mine)));
    }
    for (Writer writer : writers) {
      threads.add(Thread.ofPlatform().daemon().name(writer.name).unstarted(writer::writeOn));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /// Adds clients that read at one node, whoever owns the keys, and whether others serve it or not.
  void readAt(String address) {
    var builder = new ConfigurationBuilder();
    builder.addServer().host(address).port(ClusterNode.PORT);
    builder
        .clientIntelligence(ClientIntelligence.BASIC)
        .marshaller(new IdentityMarshaller())
        .maxRetries(0)
        .connectionTimeout(2_000)
        .socketTimeout(ANSWER_MILLIS_MAX);
    access.add(builder);
    var there = new RemoteCacheManager(builder.build());
    direct.add(there);
    RemoteCache<byte[], byte[]> its = there.getCache("default");
    for (int i = 0; i < READERS; i++) {
      var random = new SplittableRandom(i);
      Thread thread =
          Thread.ofPlatform().daemon().name("reader-at-" + i).unstarted(() -> readOn(its, random));
      threads.add(thread);
      thread.start();
    }
  }

  /// Waits until some more calls were answered.
  ///
  /// @throws IllegalStateException if none is answered for long: the client may have failed
  void awaitAcknowledged(long more) throws InterruptedException {
    long target = history.acknowledgedCount() + more;
    long last = history.acknowledgedCount();
    long lastNanos = System.nanoTime();
    while (history.acknowledgedCount() < target) {
      if (history.acknowledgedCount() > last) {
        last = history.acknowledgedCount();
        lastNanos = System.nanoTime();
      } else if (System.nanoTime() - lastNanos > TestCluster.TIME_MAX.toNanos()) {
        throw new IllegalStateException(
            "no call is answered: wanted="
                + target
                + ", answered="
                + last
                + ", threads="
                + threads.stream().map(thread -> List.of(thread.getStackTrace())).toList());
      }
      Thread.sleep(10);
    }
  }

  /// Waits until so many writes have failed.
  void awaitFailed(long count) throws InterruptedException {
    while (history.failedCount() < count) {
      Thread.sleep(10);
    }
  }

  /// Puts entries of one size, some at a time, whose bytes do not compress.
  static void fill(String address, ClusterAccess access, int entries, int valueBytes) {
    var builder = new ConfigurationBuilder();
    builder.addServer().host(address).port(ClusterNode.PORT);
    builder.marshaller(new IdentityMarshaller());
    access.add(builder);
    var random = new SplittableRandom(entries);
    try (var manager = new RemoteCacheManager(builder.build())) {
      RemoteCache<byte[], byte[]> cache = manager.getCache("default");
      List<CompletableFuture<?>> puts = new ArrayList<>();
      for (int entry = 0; entry < entries; entry++) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        puts.add(cache.putAsync(bytes("fill-%012d".formatted(entry)), value));
        if (puts.size() == PUTS_MAX || entry == entries - 1) {
          CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
          puts.clear();
        }
      }
    }
  }

  /// Whether a node answers no read, with the reason that it is cut off.
  static boolean isRefused(String address, ClusterAccess access) {
    var builder = new ConfigurationBuilder();
    builder.addServer().host(address).port(ClusterNode.PORT);
    builder
        .clientIntelligence(ClientIntelligence.BASIC)
        .marshaller(new IdentityMarshaller())
        .maxRetries(0)
        .socketTimeout(ANSWER_MILLIS_MAX);
    access.add(builder);
    try (var manager = new RemoteCacheManager(builder.build())) {
      manager.<byte[], byte[]>getCache("default").get(bytes("any"));
      return false;
    } catch (HotRodClientException e) {
      return String.valueOf(e.getMessage()).contains("ISPN000306");
    }
  }

  /// Ends the calls. What was asked is answered, or has failed, when this returns.
  void stop() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /// Reads each key until there is an answer, whatever was under way.
  void readAll() {
    for (Writer writer : writers) {
      for (int key = 0; key < KEYS_PER_WRITER; key++) {
        while (!read(cache, writer.key(key))) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  History history() {
    return history;
  }

  private void readOn(RemoteCache<byte[], byte[]> at, SplittableRandom random) {
    while (!stopping) {
      Writer writer = writers.get(random.nextInt(writers.size()));
      read(at, writer.key(random.nextInt(KEYS_PER_WRITER)));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean read(RemoteCache<byte[], byte[]> at, String key) {
    long start = System.nanoTime();
    byte @Nullable [] value;
    try {
      value = at.get(bytes(key));
    } catch (HotRodClientException e) {
      return false;
    }
    long end = System.nanoTime();
    long version = EntryValue.version(key, value);
    history.add(new Operation(Kind.READ, key, version, start, end, Outcome.ACKNOWLEDGED));
    return true;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    stopping = true;
    direct.forEach(RemoteCacheManager::close);
    manager.close();
  }

  /// Writes keys of its own, one after the other.
  private final class Writer {
    private final String name;
    private final SplittableRandom random;
    private final long[] versions = new long[KEYS_PER_WRITER];

    Writer(String name, SplittableRandom random) {
      this.name = name;
      this.random = random;
    }

    String key(int number) {
      return name + "-" + number;
    }

    void writeOn() {
      while (!stopping) {
        int number = random.nextInt(KEYS_PER_WRITER);
        Kind kind = random.nextInt(5) == 0 ? Kind.REMOVE : Kind.PUT;
        write(kind, key(number), ++versions[number]);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void write(Kind kind, String key, long version) {
      long start = System.nanoTime();
      Outcome outcome = Outcome.ACKNOWLEDGED;
      try {
        switch (kind) {
          case PUT -> cache.put(bytes(key), EntryValue.of(key, version));
          case REMOVE -> cache.remove(bytes(key));
          case READ -> throw new IllegalArgumentException("no write: " + kind);
        }
      } catch (HotRodClientException e) {
        outcome = Outcome.UNKNOWN;
      }
      history.add(new Operation(kind, key, version, start, System.nanoTime(), outcome));
    }
  }
}
