package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.Required;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Faults that are rarer than a kill: links that work in one direction, machines of which one pair
/// cannot talk, nodes all alone. Also a disk that hangs, and a death in the middle of a transfer.
/// Nodes have the timings that users get. Each test leaves the cluster as it was; they take some
/// minutes, and run with `-Dvarve.cluster=faults` and `=all`.
@Tag("slow")
@Timeout(3600)
@EnabledIfSystemProperty(named = "varve.cluster", matches = "all|faults")
class ClusterFaultsTest {
  private static final int NODES = 3;
  private static final long SEED = Long.getLong("varve.seed", 1);

  /// Calls that are answered before, during and after each fault.
  private static final int CALLS = 200;

  private static final int ENTRIES = 20_000;
  private static final int VALUE_BYTES = 1_000;
  private static final long VOLUME_BYTES = 1L << 30;

  @TempDir static Path temporary;

  private static TestCluster cluster;
  private static Path volume;
  private static boolean mounted;

  @BeforeAll
  static void start() throws Exception {
    Path directory = Path.of(System.getProperty("varve.cluster.directory", temporary.toString()));
    volume = Files.createDirectories(directory.resolve("node-2"));
    mounted = mount(directory.resolve("image"), volume);
    cluster = TestCluster.start(NODES, directory, "--failed-after", "8");
  }

  @AfterAll
  static void stop() {
    if (mounted) {
      Commands.runQuietly(List.of("fsfreeze", "--unfreeze", volume.toString()));
    }
    if (cluster != null) {
      cluster.close();
    }
    if (mounted) {
      Commands.runQuietly(List.of("umount", "--lazy", volume.toString()));
    }
  }

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

  /// The others hear nothing of a node that hears them.
  @Test
  void aNodeThatIsNotHeardLosesNothing() throws Exception {
    try (ClientLoad load = cluster.load("unheard", SEED)) {
      load.readAt(cluster.node(0).address());
      load.awaitAcknowledged(CALLS);
      cluster.network().cutOneWay(0, 1);
      cluster.network().cutOneWay(0, 2);
      cluster.awaitHealth(cluster.node(1), "\"number_of_nodes\":2,");
      load.awaitAcknowledged(5 * CALLS);
      repair(load, "not heard=1");
    }
  }

  /// A node hears nothing of the others, which hear it.
  @Test
  void aNodeThatHearsNobodyLosesNothing() throws Exception {
    try (ClientLoad load = cluster.load("deaf", SEED)) {
      load.readAt(cluster.node(0).address());
      load.awaitAcknowledged(CALLS);
      cluster.network().cutOneWay(1, 0);
      cluster.network().cutOneWay(2, 0);
      load.awaitAcknowledged(5 * CALLS);
      repair(load, "deaf=1");
    }
  }

  /// Two nodes cannot talk to each other, and both can to the third.
  @Test
  void twoNodesThatCannotTalkLoseNothing() throws Exception {
    try (ClientLoad load = cluster.load("half", SEED)) {
      load.readAt(cluster.node(0).address());
      load.readAt(cluster.node(1).address());
      load.awaitAcknowledged(CALLS);
      cluster.network().cutOneWay(0, 1);
      cluster.network().cutOneWay(1, 0);
      load.awaitAcknowledged(5 * CALLS);
      repair(load, "half split=1");
    }
  }

  /// No side has more than half of the nodes: all refuse until they can talk.
  @Test
  void nodesThatAreAllAloneRefuse() throws Exception {
    try (ClientLoad load = cluster.load("alone", SEED)) {
      load.awaitAcknowledged(CALLS);
      cluster.network().split(List.of());
      for (ClusterNode node : cluster.nodes()) {
        cluster.awaitHealth(node, "\"health_status\":\"DEGRADED\"");
        assertThat(ClientLoad.isRefused(node.address(), cluster.access())).isTrue();
      }
      repair(load, "all alone=1");
    }
  }

  /// As many nodes die together as have an entry: the rest refuses, and all have it again when all
  /// have been started once more.
  @Test
  void asManyKillsAsOwnersLoseNothing() throws Exception {
    try (ClientLoad load = cluster.load("owners", SEED)) {
      load.awaitAcknowledged(CALLS);
      List<ClusterNode> dying = List.of(cluster.node(0), cluster.node(1));
      for (ClusterNode node : dying) {
        node.pause(); // None sees the other go.
      }
      for (ClusterNode node : dying) {
        node.kill();
      }
      ClusterNode left = cluster.node(2);
      cluster.awaitHealth(left, "\"health_status\":\"DEGRADED\"");
      assertThat(ClientLoad.isRefused(left.address(), cluster.access())).isTrue();
      left.kill();
      load.stop();
      cluster.startAll();
      FaultReport.check(load, SEED, "killed together=2");
    }
  }

  /// A node that dies while it is sent its share, and the same for good before it comes once more.
  @Test
  void aKillInTheMiddleOfATransferLosesNothing() throws Exception {
    ClientLoad.fill(cluster.node(0).address(), cluster.access(), ENTRIES, VALUE_BYTES);
    try (ClientLoad load = cluster.load("transfer", SEED)) {
      load.awaitAcknowledged(CALLS);
      for (ClusterNode node : cluster.nodes()) {
        node.kill();
        load.awaitAcknowledged(CALLS);
        node.start();
        node.awaitPhase("transferring");
        node.kill();
        load.awaitAcknowledged(CALLS);
        node.start();
        node.awaitReady(TestCluster.TIME_MAX);
        cluster.awaitHealthy();
      }
      FaultReport.check(load, SEED, "kills in a transfer=" + NODES);
    }
  }

  /// Writes to the disk of a node wait, and are done when it moves again.
  @Test
  void aDiskThatStandsStillLosesNothing() throws Exception {
    Required.require(mounted, "no file system can be mounted: that takes Linux and root");
    try (ClientLoad load = cluster.load("stall", SEED)) {
      load.readAt(cluster.node(2).address());
      load.awaitAcknowledged(CALLS);
      Commands.run("fsfreeze", "--freeze", volume.toString());
      try {
        Thread.sleep(10_000); // Longer than nodes wait for each other's heartbeats.
      } finally {
        Commands.run("fsfreeze", "--unfreeze", volume.toString());
      }
      load.awaitAcknowledged(CALLS);
      cluster.awaitHealthy();
      FaultReport.check(load, SEED, "stalled disks=1");
    }
  }

  private static void repair(ClientLoad load, String fault) throws Exception {
    cluster.network().repair();
    cluster.awaitHealthy();
    load.awaitAcknowledged(CALLS);
    FaultReport.check(load, SEED, fault);
  }
}
