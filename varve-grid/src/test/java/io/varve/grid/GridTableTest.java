package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.TableClient.Protocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The table `grid`: what each endpoint does with each store, how much memory an entry takes, and
/// how soon a node answers again. A build runs a small part of it, to see that it runs; the whole
/// is `-Dvarve.grid.table=true`, with figures in `target/grid-table.csv`. `varve.grid.parts`,
/// `varve.grid.stores` and `varve.grid.sizes` name parts of it.
@Tag("slow")
@Timeout(7_200)
class GridTableTest {
  private static final boolean WHOLE = Boolean.getBoolean("varve.grid.table");
  private static final long CELL_MILLIS =
      WHOLE ? Long.getLong("varve.grid.cell.millis", 5_000) : 200;
  private static final Set<String> PARTS =
      WHOLE
          ? Set.of(System.getProperty("varve.grid.parts", "operations,memory,restart").split(","))
          : Set.of("operations", "memory");
  private static final int THREADS = 2;
  private static final List<Integer> SIZES =
      Stream.of(WHOLE ? System.getProperty("varve.grid.sizes", "512,1024,10240,1048576") : "512")
          .flatMap(sizes -> Stream.of(sizes.split(",")))
          .map(Integer::valueOf)
          .toList();
  private static final List<TableStore> STORES =
      Stream.of(TableStore.values())
          .filter(store ->
              WHOLE
                  ? System.getProperty("varve.grid.stores", store.name()).contains(store.name())
                  : store == TableStore.VARVE)
          .toList();
  private static final int RESTART_ENTRIES =
      WHOLE ? Integer.getInteger("varve.grid.entries", 1_000_000) : 1_000;
  private static final int RESTART_VALUE_BYTES = 512;

  /// Bytes of values of one cell, which a node has in memory twice over.
  private static final long CELL_BYTES = WHOLE ? 64L << 20 : 1 << 20;

  /// Of the JVM of a node that is started to see that it runs, as those of other tests.
  private static final List<String> TUNING =
      WHOLE ? List.of() : List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /// Keys of one cell, so that clients put them all in seconds.
  private static final int KEYS_MAX = WHOLE ? 5_000 : 100;

  @TempDir Path directory;

  private final List<String> rows = new ArrayList<>();

  /// A node that is measured, and the lines that it answers with.
  private record Measured(Process process, BufferedReader out, int port, int respPort)
      implements AutoCloseable {
    static Measured start(TableStore store, Path data) throws IOException {
      return start(store, data, "64 MiB");
    }

    static Measured start(TableStore store, Path data, String pages) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(TUNING);
      command.addAll(
          List.of(
              "-Xmx1g",
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "-cp",
              System.getProperty("java.class.path"),
              TableNode.class.getName(),
              store.name(),
              data.toString(),
              pages));
      Process process =
          new ProcessBuilder(command)
              .redirectError(
                  ProcessBuilder.Redirect.appendTo(data.resolveSibling("node.log").toFile()))
              .start();
      BufferedReader out = process.inputReader(UTF_8);
      String[] ready = answer(out, "ready").split(" ");
      return new Measured(process, out, Integer.parseInt(ready[0]), Integer.parseInt(ready[1]));
    }

    private static String answer(BufferedReader out, String word) throws IOException {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(word)) {
          return line.substring(word.length()).trim();
        }
      }
      throw new IOException("the node ended");
    }

    String tell(String line, String word) throws IOException {
      PrintWriter in = new PrintWriter(process.outputWriter(UTF_8), true);
      in.println(line);
      return answer(out, word);
    }

    void stop() throws IOException {
      process.getOutputStream().close();
      process.onExit().join();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  private void row(String row) {
    rows.add(row);
    System.out.println("grid: " + row);
  }

  @Test
  void measure() throws Exception {
    if (WHOLE && PARTS.contains("operations")) {
      warmUp();
    }
    row("what,store,protocol,value_bytes,operation,per_second,p99_micros,bytes,millis");
    for (TableStore store : STORES) {
      if (PARTS.contains("operations")) {
        measureOperations(store);
      }
      if (PARTS.contains("memory")) {
        measureMemory(store);
      }
      if (PARTS.contains("restart") && store != TableStore.NONE) {
        measureRestart(store);
      }
    }
    Files.write(Path.of("target/grid-table.csv"), rows);
    assertThat(rows).hasSize(1 + STORES.stream().mapToInt(GridTableTest::rowCount).sum());
  }

  private static int rowCount(TableStore store) {
    int operations = PARTS.contains("operations") ? 2 * Protocol.values().length : 0;
    int sizes = PARTS.contains("memory") ? 1 + operations : operations;
    int restarts = PARTS.contains("restart") && store != TableStore.NONE ? 2 : 0;
    return SIZES.size() * sizes + restarts;
  }

  /// The store that is measured first is not to pay for the start of the clients.
  private void warmUp() throws Exception {
    byte[] value = new byte[SIZES.getFirst()];
    try (Measured node =
        Measured.start(TableStore.NONE, Files.createTempDirectory(directory, "warm"))) {
      for (Protocol protocol : Protocol.values()) {
        load(node, protocol, KEYS_MAX, value);
        work(node, protocol, (client, key) -> client.put(key, value), new Random(0), KEYS_MAX);
        work(node, protocol, TableClient::get, new Random(0), KEYS_MAX);
      }
      node.stop();
    }
  }

  private void measureOperations(TableStore store) throws Exception {
    try (Measured node = Measured.start(store, Files.createTempDirectory(directory, "ops"))) {
      for (int size : SIZES) {
        for (Protocol protocol : Protocol.values()) {
          int keys = Math.clamp(CELL_BYTES / size, 16, KEYS_MAX);
          byte[] value = new byte[size];
          new Random(size).nextBytes(value);
          operations(
              store, node, protocol, size, "put", (client, key) -> client.put(key, value), keys);
          load(node, protocol, keys, value);
          operations(
              store,
              node,
              protocol,
              size,
              "get",
              (client, key) -> {
                byte[] found = client.get(key);
                if (found.length != size) {
                  throw new IllegalStateException("wrong value: bytes=" + found.length);
                }
              },
              keys);
        }
      }
      node.stop();
    }
  }

  /// So that each get finds its entry.
  private static void load(Measured node, Protocol protocol, int keys, byte[] value)
      throws Exception {
    try (TableClient client = protocol.connect(node.port(), node.respPort())) {
      for (int key = 0; key < keys; key++) {
        client.put(key, value);
      }
    }
  }

  private interface Operation {
    void run(TableClient client, int key) throws Exception;
  }

  private void operations(
      TableStore store,
      Measured node,
      Protocol protocol,
      int size,
      String name,
      Operation operation,
      int keys)
      throws Exception {
    Histogram latencies = new Histogram(3);
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Histogram>> workers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(thread);
        workers.add(threads.submit(() -> work(node, protocol, operation, random, keys)));
      }
      for (Future<Histogram> worker : workers) {
        latencies.add(worker.get());
      }
    }
    long count = latencies.getTotalCount();
    assertThat(count).isPositive();
    row(
        String.join(
            ",",
            "operations",
            store.name(),
            protocol.name(),
            Integer.toString(size),
            name,
            Long.toString(Math.round(count * 1e3 / CELL_MILLIS)),
            Long.toString(latencies.getValueAtPercentile(99) / 1_000),
            "",
            Long.toString(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))));
  }

  private static Histogram work(
      Measured node, Protocol protocol, Operation operation, Random random, int keys)
      throws Exception {
    Histogram latencies = new Histogram(3);
    try (TableClient client = protocol.connect(node.port(), node.respPort())) {
      long warm = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CELL_MILLIS / 2);
      while (System.nanoTime() < warm) {
        operation.run(client, random.nextInt(keys));
      }
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CELL_MILLIS);
      long before = System.nanoTime();
      while (before < end) {
        operation.run(client, random.nextInt(keys));
        long after = System.nanoTime();
        latencies.recordValue(after - before);
        before = after;
      }
    }
    return latencies;
  }

  /// What an entry takes in memory in addition to its key and its value. Pages, which have a bound
  /// of their own, take the least that they can.
  private void measureMemory(TableStore store) throws Exception {
    for (int size : SIZES) {
      int entries = Math.clamp(CELL_BYTES / size, 16, 100_000);
      try (Measured node =
          Measured.start(store, Files.createTempDirectory(directory, "mem"), "1 MiB")) {
        long before = Long.parseLong(node.tell("memory", "memory"));
        node.tell("load " + entries + " " + size, "loaded");
        long after = Long.parseLong(node.tell("memory", "memory"));
        long overhead = (after - before) / entries - size - TableNode.key(0).length;
        row("memory," + store + ",," + size + ",,,," + overhead + ",");
      }
    }
  }

  /// From the start of the process to the first answer.
  private void measureRestart(TableStore store) throws Exception {
    Path data = Files.createTempDirectory(directory, "restart");
    try (Measured node = Measured.start(store, data)) {
      node.tell("load " + RESTART_ENTRIES + " " + RESTART_VALUE_BYTES, "loaded");
      node.stop();
    }
    restart(store, data, "stop");
    restart(store, data, "kill");
  }

  /// The node is killed at the end of this, after writes.
  private void restart(TableStore store, Path data, String after) throws Exception {
    long start = System.nanoTime();
    try (Measured node = Measured.start(store, data);
        TableClient client = Protocol.HOT_ROD.connect(node.port(), node.respPort())) {
      byte[] found = client.get(RESTART_ENTRIES / 2);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertThat(found).as("after a %s", after).hasSize(RESTART_VALUE_BYTES);
      row(
          String.join(
              ",",
              Arrays.asList("restart", store.name(), "", "512", after, "", "", "", "" + millis)));
      node.tell("load " + RESTART_ENTRIES / 10 + " " + RESTART_VALUE_BYTES, "loaded");
    }
  }
}
