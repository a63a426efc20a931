package io.varve.grid.cluster;

import io.varve.grid.RawResp;
import io.varve.grid.cluster.Operation.Kind;
import io.varve.grid.cluster.Operation.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.jspecify.annotations.Nullable;

/// Clients that write and read entries over Hot Rod, and that count over RESP, and keep what they
/// were answered. A key of Hot Rod has one writer; it puts, removes, and does both on conditions.
/// Half of the writers know one node and no other, as the clients of RESP. No call is made again
/// automatically: one that failed has an unknown outcome.
final class ClientLoad implements AutoCloseable {
  private static final int WRITERS = 6;
  private static final int READERS = 2;
  private static final int COUNTERS = 2;

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
  private final Tally tally = new Tally();
  private final List<String> addresses;
  private final ClusterAccess access;
  private final String counter;
  private final RemoteCacheManager manager;
  private final RemoteCache<byte[], byte[]> cache;
  private final History history = new History();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Writer> writers = new ArrayList<>();
  private final List<Listings> listings = new ArrayList<>();
  private volatile boolean stopping;

  /// Connects to the nodes that serve at some addresses.
  ///
  /// @param name of the load, of which there is one in the life of a cluster
  ClientLoad(List<String> addresses, ClusterAccess access, String name, long seed) {
    this.addresses = addresses;
    this.access = access;
    counter = name + "-count";
    manager = new RemoteCacheManager(client(access, addresses).build());
    cache = manager.getCache("default");
    var random = new SplittableRandom(seed);
    for (int i = 0; i < WRITERS; i++) {
      RemoteCache<byte[], byte[]> at =
          i % 2 == 0 ? cache : direct(addresses.get(i / 2 % addresses.size()));
      writers.add(new Writer(name + "-" + i, at, random.split()));
    }
    for (int i = 0; i < COUNTERS; i++) {
      String address = addresses.get(i % addresses.size());
      threads.add(
          Thread.ofPlatform().daemon().name("counter-" + i).unstarted(() -> countOn(address)));
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

  private static ConfigurationBuilder client(ClusterAccess access, List<String> addresses) {
    var builder = new ConfigurationBuilder();
    addresses.forEach(address -> builder.addServer().host(address).port(ClusterNode.PORT));
    builder
        .marshaller(new IdentityMarshaller())
        .maxRetries(0)
        .connectionTimeout(2_000)
        .socketTimeout(ANSWER_MILLIS_MAX);
    access.add(builder);
    return builder;
  }

  /// The cache by a client that knows one node and asks for no other.
  private RemoteCache<byte[], byte[]> direct(String address) {
    var builder = client(access, List.of(address));
    builder.clientIntelligence(ClientIntelligence.BASIC);
    var there = new RemoteCacheManager(builder.build());
    direct.add(there);
    return there.getCache("default");
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /// Adds clients that read at one node, whichever nodes own the keys, and whether others serve it
  /// or not.
  void readAt(String address) {
    RemoteCache<byte[], byte[]> its = direct(address);
    for (int i = 0; i < READERS; i++) {
      var random = new SplittableRandom(i);
      Thread thread =
          Thread.ofPlatform().daemon().name("reader-at-" + i).unstarted(() -> readOn(its, random));
      threads.add(thread);
      thread.start();
    }
  }

  /// Adds clients that go through all entries at one node. What they have found is part of the
  /// history when the calls have ended, and counts for no wait before.
  void listAt(ClusterNode node) {
    List<String> keys =
        writers.stream()
            .flatMap(writer -> IntStream.range(0, KEYS_PER_WRITER).mapToObj(writer::key))
            .toList();
    listings.add(new Listings(node, access, direct(node.address()), keys));
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
    var builder = client(access, List.of(address));
    builder.clientIntelligence(ClientIntelligence.BASIC);
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
    for (Listings listing : listings) {
      listing.operations().forEach(history::add);
    }
    listings.clear();
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

  /// The calls of writers that know all nodes: the others wait while their node is away.
  List<Operation> operationsOfRoving() {
    List<String> roving =
        writers.stream().filter(writer -> writer.at == cache).map(writer -> writer.name).toList();
    return history.operations().stream()
        .filter(operation ->
            roving.contains(operation.key().substring(0, operation.key().lastIndexOf('-'))))
        .toList();
  }

  /// What increments were answered wrong, when all calls have ended.
  List<String> tallyFaults() throws InterruptedException {
    while (true) {
      try (RawResp resp = access.resp(addresses.getFirst())) {
        String last = resp.call("INCRBY", counter, "0");
        if (last.startsWith(":")) {
          System.out.printf("increments answered=%d, last=%s%n", tally.answeredCount(), last);
          return tally.faults(Long.parseLong(last.substring(1).strip()));
        }
      } catch (IOException e) {
        // The node is not back yet.
      }
      Thread.sleep(10);
    }
  }

  /// Counts by a node whether it is there or not.
  private void countOn(String address) {
    while (!stopping) {
      try (RawResp resp = access.resp(address)) {
        while (!stopping && count(resp)) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      } catch (IOException e) {
        LockSupport.parkNanos(PAUSE_NANOS); // The node is not there.
      }
    }
  }

  /// Whether the connection may be used again.
  private boolean count(RawResp resp) {
    long start = System.nanoTime();
    try {
      String answer = resp.call("INCR", counter);
      if (answer.startsWith(":")) {
        tally.add(start, System.nanoTime(), Long.parseLong(answer.substring(1).strip()));
        return true;
      }
      tally.addFailed(start, System.nanoTime());
      return !answer.isEmpty();
    } catch (IOException e) {
      tally.addFailed(start, System.nanoTime());
      return false;
    }
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
    listings.forEach(Listings::close);
    direct.forEach(RemoteCacheManager::close);
    manager.close();
  }

  /// What a writer may ask for.
  private enum Call {
    PUT(Kind.PUT),
    PUT_IF_ABSENT(Kind.PUT),
    REPLACE(Kind.PUT),
    REPLACE_VERSION(Kind.PUT),
    REMOVE(Kind.REMOVE),
    REMOVE_VERSION(Kind.REMOVE);

    private final Kind kind;

    Call(Kind kind) {
      this.kind = kind;
    }

    /// Half of all calls ask for no condition.
    static Call draw(SplittableRandom random) {
      return switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> PUT;
        case 4 -> REMOVE;
        case 5, 6 -> PUT_IF_ABSENT;
        case 7 -> REPLACE;
        case 8 -> REPLACE_VERSION;
        default -> REMOVE_VERSION;
      };
    }
  }

  /// Writes keys of its own, one after the other.
  private final class Writer {
    private final String name;
    private final RemoteCache<byte[], byte[]> at;
    private final SplittableRandom random;
    private final long[] versions = new long[KEYS_PER_WRITER];

    Writer(String name, RemoteCache<byte[], byte[]> at, SplittableRandom random) {
      this.name = name;
      this.at = at;
      this.random = random;
    }

    String key(int number) {
      return name + "-" + number;
    }

    void writeOn() {
      while (!stopping) {
        int number = random.nextInt(KEYS_PER_WRITER);
        write(Call.draw(random), key(number), ++versions[number]);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private void write(Call call, String key, long version) {
      long start = System.nanoTime();
      Outcome outcome;
      try {
        outcome =
            isDone(call, key, EntryValue.of(key, version)) ? Outcome.ACKNOWLEDGED : Outcome.REFUSED;
      } catch (HotRodClientException e) {
        outcome = Outcome.UNKNOWN;
      }
      history.add(new Operation(call.kind, key, version, start, System.nanoTime(), outcome));
    }

    private boolean isDone(Call call, String key, byte[] value) {
      byte[] name = bytes(key);
      long start = System.nanoTime();
      switch (call) {
        case PUT -> at.put(name, value);
        case REMOVE -> at.remove(name);
        case PUT_IF_ABSENT -> {
          byte @Nullable [] there = at.withFlags(Flag.FORCE_RETURN_VALUE).putIfAbsent(name, value);
          if (there != null) {
            found(key, there, start);
            return false;
          }
        }
        case REPLACE -> {
          if (at.withFlags(Flag.FORCE_RETURN_VALUE).replace(name, value) == null) {
            found(key, null, start);
            return false;
          }
        }
        case REPLACE_VERSION, REMOVE_VERSION -> {
          MetadataValue<byte[]> there = at.getWithMetadata(name);
          found(key, there == null ? null : there.getValue(), start);
          return there != null
              && (call == Call.REPLACE_VERSION
                  ? at.replaceWithVersion(name, value, there.getVersion())
                  : at.removeWithVersion(name, there.getVersion()));
        }
      }
      return true;
    }

    /// Keeps what a call has found, which is a read whatever it does then.
    private void found(String key, byte @Nullable [] value, long start) {
      long version = EntryValue.version(key, value);
      history.add(
          new Operation(Kind.READ, key, version, start, System.nanoTime(), Outcome.ACKNOWLEDGED));
    }
  }
}
