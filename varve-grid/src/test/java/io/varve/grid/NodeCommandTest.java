package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.server.security.KeyStoreUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Backups of nodes that run, by the command, and what they come back with when all else is lost.
/// The nodes have users and TLS, to each other as well.
@Tag("slow")
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class NodeCommandTest {
  private static final int NODES = 3;
  private static final int ENTRIES = 100;

  @TempDir Path directory;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final StringWriter said = new StringWriter();
  private Path password;

  @BeforeEach
  void makeKey() throws Exception {
    char[] ofNodes = "of nodes".toCharArray();
    Files.writeString(directory.resolve("nodes.password"), "of nodes\n");
    KeyStoreUtils.generateSelfSignedCertificate(
        directory.resolve("nodes.p12").toString(), null, ofNodes, ofNodes, "nodes", "nodes");
    password = Files.writeString(directory.resolve("alice.password"), "secret\n");
  }

  @AfterEach
  void stop() throws IOException {
    for (Node node : nodes) {
      node.close();
    }
    nodes.clear();
  }

  private int run(String... arguments) {
    said.getBuffer().setLength(0);
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(said));
    line.setErr(new PrintWriter(said));
    return line.execute(arguments);
  }

  private int backup(Path trusted, int port, String user) {
    return run(
        "node",
        "backup",
        "nightly",
        "--url=https://localhost:" + port,
        "--user=" + user,
        "--password-file=" + password,
        "--trust=" + NodeDirectory.configuration(trusted).resolve("self-made.pem"));
  }

  private static Path backupOf(Path data) throws IOException {
    try (Stream<Path> found = Files.list(data.resolve("backups").resolve("nightly"))) {
      return found.findFirst().orElseThrow();
    }
  }

  /// Each entry is on two of three, so that no node has all.
  private Node startOne(Path data, String members, String port) {
    Node node =
        Serving.node(
            data,
            "--tls",
            "--durability=PROCESS_CRASH",
            "--cluster-keystore=" + directory.resolve("nodes.p12"),
            "--cluster-password-file=" + directory.resolve("nodes.password"),
            "--cluster=restore",
            "--discovery=file:" + directory.resolve(members),
            "--cluster-port=" + port);
    nodes.add(node);
    return node;
  }

  private static Cache<byte[], byte[]> cache(Node node) {
    return node.caches().<byte[], byte[]>getCache("default").getAdvancedCache();
  }

  /// Lengths of the values of all keys, -1 for none.
  private static List<Integer> lengths(Node node) {
    return AsItself.call(() ->
        IntStream.rangeClosed(0, ENTRIES)
            .map(key -> {
              byte[] value = cache(node).get(new byte[] {(byte) key});
              return value == null ? -1 : value.length;
            })
            .boxed()
            .toList());
  }

  @Test
  void aClusterThatIsDestroyedComesBackFromItsBackup() throws Exception {
    List<String> ports = new ArrayList<>();
    for (int number = 0; number < NODES; number++) {
      Path data = directory.resolve("node-" + number);
      new Users(NodeDirectory.configuration(data)).set("alice", "secret", Role.ADMIN);
      new Users(NodeDirectory.configuration(data)).set("shop", "secret", Role.APPLICATION);
      ports.add(Serving.freeClusterPort());
      startOne(data, "members", ports.get(number));
    }
    Node first = nodes.getFirst();
    AsItself.run(() -> {
      for (int key = 0; key < ENTRIES; key++) {
        cache(first).put(new byte[] {(byte) key}, new byte[key]);
      }
    });
    Path trusted = directory.resolve("node-0");
    assertThat(backup(trusted, first.port(), "shop")).as(said.toString()).isEqualTo(3);
    assertThat(said.toString()).contains("name one with the role ADMIN");
    assertThat(backup(trusted, first.port(), "alice")).as(said.toString()).isZero();
    assertThat(said.toString()).contains("backup nightly");
    AsItself.run(() -> cache(first).put(new byte[] {ENTRIES}, new byte[1]));
    stop();

    for (int number = 0; number < NODES; number++) {
      Path lost = directory.resolve("node-" + number);
      int exit =
          run(
              "node",
              "restore",
              backupOf(lost).toString(),
              "--data=" + directory.resolve("restored-" + number));
      assertThat(exit).as(said.toString()).isZero();
      assertThat(said.toString()).contains("restored: stores=2");
      Files.move(lost, directory.resolve("lost-" + number));
    }
    // At one time: each looks for the other before it begins.
    var starts =
        IntStream.range(0, NODES)
            .mapToObj(number ->
                new FutureTask<>(() ->
                    startOne(directory.resolve("restored-" + number), "again", ports.get(number))))
            .toList();
    starts.forEach(start -> Thread.ofPlatform().start(start));
    for (FutureTask<Node> start : starts) {
      start.get();
    }
    List<Integer> expected = new ArrayList<>(IntStream.range(0, ENTRIES).boxed().toList());
    expected.add(-1); // put after the backup
    assertThat(lengths(nodes.getLast())).isEqualTo(expected);
  }

  @Test
  void whatIsNoWholeBackupIsRefusedAndLeavesNothing() throws Exception {
    Path data = directory.resolve("node");
    new Users(NodeDirectory.configuration(data)).set("alice", "secret", Role.ADMIN);
    Node node = Serving.node(data, "--tls", "--durability=PROCESS_CRASH");
    nodes.add(node);
    AsItself.run(() -> cache(node).put(new byte[] {1}, new byte[100_000]));
    assertThat(backup(data, node.port(), "alice")).as(said.toString()).isZero();
    assertThat(run("node", "backup", "other", "--url=http://localhost:1")).isEqualTo(3);
    assertThat(said.toString()).contains("the node does not answer");
    assertThat(
            run(
                "node",
                "backup",
                "other",
                "--url=http://localhost:" + node.port(),
                "--user=alice",
                "--password-file=" + password))
        .isEqualTo(3);
    assertThat(said.toString()).contains("passwords go to nodes that encrypt alone");
    stop();

    Path restored = directory.resolve("restored");
    assertThat(run("node", "restore", data + "/backups/nightly", "--data=" + restored))
        .isEqualTo(3);
    assertThat(said.toString()).contains("no backup of a node");
    assertThat(run("node", "restore", backupOf(data).toString(), "--data=" + data)).isEqualTo(3);
    assertThat(said.toString()).contains("there is something");
    damage(backupOf(data).resolve("data/default/varve/pages"));
    assertThat(run("node", "restore", backupOf(data).toString(), "--data=" + restored))
        .isEqualTo(3);
    assertThat(said.toString()).contains("a store of the backup is damaged");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("restored"));
    }
  }

  /// Changes a bit of each 512 bytes of the second half.
  private static void damage(Path file) throws IOException {
    try (var pages = new RandomAccessFile(file.toFile(), "rw")) {
      for (long at = pages.length() / 2; at < pages.length(); at += 512) {
        pages.seek(at);
        int read = pages.read();
        pages.seek(at);
        pages.write(read ^ 1);
      }
    }
  }
}
