package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.Required;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes, each a process on a machine of its own, lose nothing that was acknowledged to
/// clients, whatever fails. Each test leaves the cluster as it was. Each build kills and splits;
/// `-Dvarve.cluster=all` does the rest, `-Dvarve.cluster.kills=100` kills more. Nodes have users
/// and TLS; with `-Dvarve.cluster.users=false` they have neither, for clients.
@Tag("slow")
@Timeout(14400)
class ClusterTest {
  private static final int NODES = 3;
  private static final int KILLS = Integer.getInteger("varve.cluster.kills", 2);
  private static final int STOPS = Integer.getInteger("varve.cluster.stops", NODES);
  private static final long SEED = Long.getLong("varve.seed", 1);

  /// Calls that are answered before, during and after each fault.
  private static final int CALLS = 200;

  private static final int ENTRIES = Integer.getInteger("varve.cluster.entries", 4_000);
  private static final int KEY_BYTES = "fill-000000000000".length();
  private static final int VALUE_BYTES = 1_000;
  private static final int OWNERS = 2;

  /// Joining, heartbeats, schemas, and the entries of other tests.
  private static final long OTHER_BYTES_MAX = 8L << 20;

  /// Holds the log and the reserve of each store, and some entries.
  private static final long VOLUME_BYTES = 512L << 20;

  @TempDir static Path temporary;

  private static TestCluster cluster;
  private static Path volume;
  private static boolean mounted;

  @BeforeAll
  static void start() throws Exception {
    Path directory = Path.of(System.getProperty("varve.cluster.directory", temporary.toString()));
    volume = Files.createDirectories(directory.resolve("node-2"));
    mounted = mount(directory.resolve("image"), volume);
    cluster = TestCluster.start(NODES, directory);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (mounted) {
      Commands.runQuietly(List.of("umount", "--lazy", volume.toString()));
    }
  }

  /// Gives the last node a small disk of its own, where that can be done.
  private static boolean mount(Path image, Path place) {
    try {
      try (var file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(VOLUME_BYTES);
      }
      Commands.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
      Commands.run("mount", "-o", "loop", image.toString(), place.toString());
      return true;
    } catch (IOException e) {
      return false; // The test that wants it reports that.
    }
  }

  @Test
  void killsOfNodesLoseNothing() throws Exception {
    var random = new Random(SEED);
    List<Long> kills = new ArrayList<>();
    try (ClientLoad load = cluster.load("kills", SEED)) {
      load.awaitAcknowledged(CALLS);
      for (int kill = 1; kill <= KILLS; kill++) {
        ClusterNode victim = cluster.node(random.nextInt(NODES));
        kills.add(System.nanoTime());
        victim.kill();
        load.awaitAcknowledged(CALLS);
        comeBack(victim);
        load.awaitAcknowledged(CALLS);
        System.out.printf("killed: %d of %d, %s%n", kill, KILLS, victim);
      }
      FaultReport.check(load, SEED, "kills=" + KILLS);
      printGaps(load, "killed", kills);
    }
  }

  /// A node that is killed and comes back while the others still count on it begins alone, and
  /// meets them later; it may coordinate them then. What it has is old all the same.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void aNodeThatComesBackBeforeItIsMissedBringsNothingBack() throws Exception {
    try (ClientLoad load = cluster.load("unmissed", SEED)) {
      for (ClusterNode node : cluster.nodes()) {
        load.awaitAcknowledged(5 * CALLS);
        int number = cluster.nodes().indexOf(node);
        cluster.network().split(List.of(List.of(number), cluster.others(number)));
        node.kill();
        load.awaitAcknowledged(CALLS);
        node.start();
        node.awaitAlone();
        cluster.network().repair();
        node.awaitReady(TestCluster.TIME_MAX);
        cluster.awaitHealthy();
      }
      FaultReport.check(load, SEED, "back before missed=" + NODES);
    }
  }

  /// A node that has waited alone for the others, and meets them when they have continued without
  /// it, ends and reports why. Started again, it is sent its share.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void aNodeThatWaitsForAClusterThatHasContinuedEnds() throws Exception {
    ClusterNode node = cluster.node(1);
    try (ClientLoad load = cluster.load("waited", SEED)) {
      load.awaitAcknowledged(5 * CALLS);
      cluster.network().split(List.of(List.of(1), cluster.others(1)));
      node.kill();
      load.awaitAcknowledged(CALLS);
      node.startAlone();
      node.awaitWaiting();
      cluster.network().repair();
      node.awaitEnd();
      assertThat(node.log()).contains("the cluster has continued without this node");
      comeBack(node);
      FaultReport.check(load, SEED, "waited alone=1");
    }
  }

  /// A node that waits for others which do not come ends, and names those for which it has waited.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all|bound")
  void aNodeThatWaitsWithoutSuccessEnds() throws Exception {
    cluster.killAll();
    ClusterNode node = cluster.node(0);
    node.startAlone("--transfer-within=1");
    node.awaitEnd();
    assertThat(node.log())
        .contains("phase=waiting", "members_wanted=3")
        .contains("the nodes that have the other entries have not all come: minutes=1, nodes=3");
    cluster.startAll();
  }

  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void aRollingRestartLosesNothing() throws Exception {
    var stops = new Gaps();
    var joins = new Gaps();
    try (ClientLoad load = cluster.load("rolling", SEED)) {
      load.awaitAcknowledged(CALLS);
      for (int stop = 0; stop < STOPS; stop++) {
        ClusterNode node = cluster.node(stop % NODES);
        long stopped = System.nanoTime();
        node.stop();
        load.awaitAcknowledged(CALLS);
        long started = System.nanoTime();
        comeBack(node);
        load.awaitAcknowledged(CALLS);
        stops.add(load.operationsOfRoving(), stopped, started);
        joins.add(load.operationsOfRoving(), started, System.nanoTime());
      }
      FaultReport.check(load, SEED, "restarts=" + STOPS);
    }
    System.out.printf("without answers, nodes stopped=%d: %s%n", STOPS, stops);
    System.out.printf("without answers, nodes come back=%d: %s%n", STOPS, joins);
  }

  /// A cluster that is shut down as one continues where it was: no segment is sent.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void aShutdownKeepsEachEntryWhereItIs() throws Exception {
    try (ClientLoad load = cluster.load("shutdown", SEED)) {
      load.awaitAcknowledged(CALLS);
      load.stop();
      long[] rebalances = rebalances();
      cluster.node(0).post("/rest/v2/cluster?action=stop");
      for (ClusterNode node : cluster.nodes()) {
        node.awaitEnd();
      }
      cluster.startAll();
      assertThat(rebalances()).isEqualTo(rebalances);
      FaultReport.check(load, SEED, "shutdown");
    }
  }

  /// All nodes lose power at one time: what they have on disk is what the cluster continues with.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void killsOfAllNodesTogetherLoseNothing() throws Exception {
    try (ClientLoad load = cluster.load("all", SEED)) {
      load.awaitAcknowledged(CALLS);
      long[] rebalances = rebalances();
      cluster.killAll();
      load.stop();
      cluster.startAll();
      assertThat(rebalances()).isEqualTo(rebalances);
      FaultReport.check(load, SEED, "killed together=" + NODES);
    }
  }

  /// A node that is cut off refuses; the others continue; and when the link is repaired nothing is
  /// lost.
  @Test
  void aSplitLosesNothing() throws Exception {
    try (ClientLoad load = cluster.load("split", SEED)) {
      load.readAt(cluster.node(0).address());
      load.awaitAcknowledged(CALLS);
      cluster.network().split(List.of(List.of(0), List.of(1, 2)));
      cluster.awaitHealth(cluster.node(0), "\"health_status\":\"DEGRADED\"");
      cluster.awaitHealth(
          cluster.node(1), "\"health_status\":\"HEALTHY\"", "\"number_of_nodes\":2,");
      assertThat(ClientLoad.isRefused(cluster.node(0).address(), cluster.access())).isTrue();
      load.awaitAcknowledged(CALLS);
      cluster.network().repair();
      cluster.awaitHealthy();
      load.awaitAcknowledged(CALLS);
      FaultReport.check(load, SEED, "split");
    }
  }

  /// A node that stood still while the others continued without it answers nothing old afterwards,
  /// neither by a key nor in a list. It does not know yet that it was missed.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all|pause")
  void aPausedNodeAnswersNothingOld() throws Exception {
    try (ClientLoad load = cluster.load("pause", SEED)) {
      for (ClusterNode node : cluster.nodes()) {
        load.awaitAcknowledged(CALLS);
        load.readAt(node.address());
        load.listAt(node);
        load.awaitAcknowledged(CALLS);
        node.pause();
        ClusterNode other = cluster.node(cluster.others(node.number()).getFirst());
        cluster.awaitHealth(other, "\"number_of_nodes\":2,");
        load.awaitAcknowledged(5 * CALLS);
        node.resume();
        cluster.awaitHealthy();
        load.awaitAcknowledged(CALLS);
      }
      FaultReport.check(load, SEED, "pauses=" + NODES);
    }
  }

  /// A full disk of one node refuses writes of its entries, and no others.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void aFullDiskLosesNothing() throws Exception {
    Required.require(
        mounted, "no file system can be mounted: that takes Linux, root and e2fsprogs");
    Path filler = cluster.node(2).directory().resolve("filler");
    try (ClientLoad load = cluster.load("disk", SEED)) {
      load.awaitAcknowledged(CALLS);
      fill(filler);
      long failed = load.history().failedCount();
      load.awaitFailed(failed + 10);
      load.awaitAcknowledged(CALLS);
      Files.delete(filler);
      load.awaitAcknowledged(CALLS);
      FaultReport.check(load, SEED, "full disks=1");
    } finally {
      Files.deleteIfExists(filler);
    }
  }

  /// A node that comes with nothing is sent its share of the entries, and not much more: what the
  /// guide's model of a cluster predicts. `-Dvarve.cluster.entries=100000` measures with more.
  @Test
  @EnabledIfSystemProperty(named = "varve.cluster", matches = "all")
  void anEmptyNodeIsSentItsShare() throws Exception {
    ClientLoad.fill(cluster.node(0).address(), cluster.access(), ENTRIES, VALUE_BYTES);
    ClusterNode node = cluster.node(1);
    long diskBytes = bytes(node.directory().resolve("data/default/varve/pages"));
    node.kill();
    delete(node.directory().resolve("data")); // Users and keys are given to each node.
    long before = cluster.network().receivedBytes(1);
    comeBack(node);
    long received = cluster.network().receivedBytes(1) - before;
    long share = (long) ENTRIES * (KEY_BYTES + VALUE_BYTES) * OWNERS / NODES;
    System.out.printf(
        "entries=%d, share=%d, received=%d, pages before=%d, pages after=%d%n",
        ENTRIES,
        share,
        received,
        diskBytes,
        bytes(node.directory().resolve("data/default/varve/pages")));
    assertThat(received).isBetween(share * 3 / 4, share * 2 + OTHER_BYTES_MAX);
  }

  private static long bytes(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /// Takes what is left of a file system.
  private static void fill(Path file) throws IOException {
    byte[] zeros = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int length = zeros.length; length > 0; ) {
        try {
          out.write(zeros, 0, length);
        } catch (IOException e) {
          length /= 2; // The last bytes.
        }
      }
    }
  }

  private static void comeBack(ClusterNode node) throws Exception {
    node.start();
    node.awaitReady(TestCluster.TIME_MAX);
    cluster.awaitHealthy();
  }

  /// How often each node was notified that entries of the cache move.
  private static long[] rebalances() throws IOException {
    long[] counts = new long[NODES];
    for (int node = 0; node < NODES; node++) {
      counts[node] =
          cluster
              .node(node)
              .log()
              .lines()
              .filter(line -> line.contains("[Context=default]") && line.contains("ISPN100002"))
              .count();
    }
    return counts;
  }

  private static void printGaps(ClientLoad load, String fault, List<Long> faults) {
    var gaps = new Gaps();
    List<Operation> operations = load.operationsOfRoving();
    faults.forEach(nanos -> gaps.add(operations, nanos));
    System.out.printf("without answers, nodes %s=%d: %s%n", fault, faults.size(), gaps);
  }
}
