package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.security.Protection;
import io.varve.grid.status.NodeStatus;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.infinispan.AdvancedCache;

/// A node that is measured, in a process of its own. It does what lines on its standard input
/// request: `load COUNT BYTES` puts entries, `memory` prints how many bytes entries take, and the
/// end of the input ends it.
final class TableNode {
  private static final int PUTS_TOGETHER = 1_000;

  /// More than all but those of the restarts.
  private static final int ENTRIES_MAX = 200_000;

  private TableNode() {}

  public static void main(String[] arguments) throws Exception {
    TableStore store = TableStore.valueOf(arguments[0]);
    try (Node node = Node.start(configuration(store, Path.of(arguments[1]), arguments[2]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      AdvancedCache<byte[], byte[]> cache =
          node.caches().<byte[], byte[]>getCache("default").getAdvancedCache();
      System.out.println("ready " + node.port() + " " + node.respPort());
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        String[] words = line.split(" ");
        if (words[0].equals("load")) {
          load(cache, Integer.parseInt(words[1]), Integer.parseInt(words[2]));
          System.out.println("loaded");
        } else {
          System.out.println("memory " + memoryBytes());
        }
      }
    }
    System.exit(0); // Infinispan's threads may outlive it.
  }

  private static NodeConfiguration configuration(TableStore store, Path data, String pages) {
    var endpoints =
        new Endpoints(
            Clients.HOST,
            0,
            OptionalInt.of(Integer.parseInt(Serving.freePort())),
            OptionalInt.empty(),
            64 << 20,
            new Protection(false, null));
    Map<String, String> properties = new HashMap<>(endpoints.properties());
    properties.put("varve.durability", "PROCESS_CRASH");
    properties.put("varve.entries", Integer.toString(ENTRIES_MAX));
    properties.put("varve.memory", "64 MiB");
    properties.put("varve.pages", pages);
    return new NodeConfiguration(
        data,
        List.of(endpoints.layer(), store.container().layer()),
        properties,
        new ClientOptions().limits(Clients.HOST, 64 << 20),
        new NodeStatus());
  }

  private static void load(AdvancedCache<byte[], byte[]> cache, int count, int bytes) {
    byte[] value = new byte[bytes];
    new Random(bytes).nextBytes(value);
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      puts.add(cache.putAsync(key(at), value.clone())); // the cache keeps the array itself
      if (puts.size() == PUTS_TOGETHER) {
        CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
        puts.clear();
      }
    }
    CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
  }

  static byte[] key(int at) {
    return "key-%010d".formatted(at).getBytes(UTF_8);
  }

  /// What is live on the heap, where entries are.
  private static long memoryBytes() {
    for (int collection = 0; collection < 3; collection++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
