package io.varve.grid.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.grid.RawResp;
import io.varve.grid.cluster.Operation.Kind;
import io.varve.grid.cluster.Operation.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;

/// Clients that go through the entries of a load at one node, by each protocol, and keep what they
/// have found. A list is a read of each key: it may find what was there at any time from its
/// beginning to its end. Lists of keys show which are not there, and no values.
final class Listings implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000_000;
  private static final Pattern KEY = Pattern.compile("[a-z]+-[0-9]+-[0-9]+");

  private interface Listing {
    /// Goes through all once.
    void list() throws IOException, InterruptedException;
  }

  private final History history = new History();
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> keys;
  private final ClusterAccess access;
  private volatile boolean stopping;

  /// @param entries the cache by a client that knows the node and no other
  Listings(
      ClusterNode node,
      ClusterAccess access,
      RemoteCache<byte[], byte[]> entries,
      List<String> keys) {
    this.access = access;
    this.keys = keys;
    begin("hotrod", () -> hotRod(entries));
    begin("rest", () -> rest(node));
    begin("scan", () -> scan(node.address()));
    begin("keys", () -> keys(node.address()));
  }

  private void begin(String name, Listing listing) {
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .name("listing-" + name)
            .start(() -> {
              while (!stopping) {
                try {
                  listing.list();
                } catch (IOException | HotRodClientException e) {
                  // It was refused, or not answered.
                } catch (InterruptedException e) {
                  return;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
              }
            }));
  }

  private void hotRod(RemoteCache<byte[], byte[]> cache) {
    long start = System.nanoTime();
    Map<String, byte[]> found = new HashMap<>();
    try (var entries = cache.retrieveEntries(null, 100)) {
      entries.forEachRemaining(entry ->
          found.put(new String((byte[]) entry.getKey(), UTF_8), (byte[]) entry.getValue()));
    }
    long end = System.nanoTime();
    for (String key : keys) {
      read(key, EntryValue.version(key, found.get(key)), start, end);
    }
  }

  private void rest(ClusterNode node) throws IOException, InterruptedException {
    long start = System.nanoTime();
    String list = node.get("/rest/v2/caches/default?action=keys");
    absent(list, start);
  }

  private void keys(String address) throws IOException {
    try (RawResp resp = access.resp(address)) {
      long start = System.nanoTime();
      absent(answered(resp.call("KEYS", "*")), start);
    }
  }

  private void scan(String address) throws IOException {
    try (RawResp resp = access.resp(address)) {
      long start = System.nanoTime();
      StringBuilder found = new StringBuilder();
      String cursor = "0";
      do {
        String answer = answered(resp.call("SCAN", cursor, "COUNT", "100"));
        cursor = answer.split(" ")[2];
        found.append(answer);
      } while (!cursor.equals("0"));
      absent(found.toString(), start);
    }
  }

  private static String answered(String reply) throws IOException {
    if (!reply.startsWith("*")) {
      throw new IOException("refused: " + reply);
    }
    return reply;
  }

  private void absent(String list, long start) {
    long end = System.nanoTime();
    Set<String> found = new HashSet<>();
    KEY.matcher(list).results().forEach(match -> found.add(match.group()));
    for (String key : keys) {
      if (!found.contains(key)) {
        read(key, Operation.ABSENT, start, end);
      }
    }
  }

  private void read(String key, long version, long start, long end) {
    history.add(new Operation(Kind.READ, key, version, start, end, Outcome.ACKNOWLEDGED));
  }

  /// What was found, when all lists have ended.
  List<Operation> operations() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return history.operations();
  }

  @Override
  public void close() {
    stopping = true;
  }
}
