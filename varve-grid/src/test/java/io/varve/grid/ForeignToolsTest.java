package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.security.Protection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs of Redis' and memcached's own makers, in bounded runs. A machine that lacks them, as a
/// developer's may, passes these tests by; one that builds every change has them.
@Tag("slow")
@Timeout(300)
class ForeignToolsTest {
  /// What a node passes of the checks of memccapable, by name; it fails the others since it does
  /// not know their commands, or answers in other words.
  private static final Path PASSING = Path.of("src/test/resources/memccapable-passing");

  /// Of which 34 pass. Two of the others wait for an answer until their time is up.
  private static final int CHECKS = 54;

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND", "--memcached-port", Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private static String run(String... command) throws Exception {
    boolean isThere =
        List.of(System.getenv("PATH").split(":")).stream()
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, command[0])));
    Required.require(
        isThere, command[0] + " is not installed: it is in redis-tools or libmemcached-tools");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void memccapablePassesWhatItDid() throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      String said = run("memccapable", "-h", Clients.HOST, "-p", "" + port, "-t", "5");
      assertThat(Pattern.compile("\\[(pass|FAIL)]").matcher(said).results())
          .as(said)
          .hasSize(CHECKS);
      Set<String> passed = new TreeSet<>();
      Pattern.compile("^(\\S.*?) +\\[pass]", Pattern.MULTILINE)
          .matcher(said)
          .results()
          .forEach(check -> passed.add(check.group(1)));
      assertThat(passed).containsAll(Files.readAllLines(PASSING));
    }
  }

  /// As one types it first: nothing but the port is said.
  @Test
  void redisCliWorksOnThePortOfAllProtocols() throws Exception {
    String port = "" + node.port();
    assertThat(run("redis-cli", "-p", port, "SET", "cli", "x")).isEqualTo("OK\n");
    assertThat(run("redis-cli", "-p", port, "GET", "cli")).isEqualTo("x\n");
    assertThat(run("redis-cli", "-p", port, "--no-raw", "GET", "absent")).isEqualTo("(nil)\n");
    assertThat(run("redis-cli", "-3", "-p", port, "GET", "cli")).isEqualTo("x\n");
  }

  /// What the node prints when it is ready, typed as it is.
  @Test
  void theCommandsOfTheStartWork() throws Exception {
    List<String> said =
        new FirstCommands(Clients.HOST, node.port(), new Protection(false, null), data).lines();
    Map<String, String> answers = new HashMap<>();
    for (String line : said) {
      String[] parts = line.split(": ", 2);
      if (!parts[0].equals("try Hot Rod")) {
        answers.put(parts[0], run(parts[1].split(" ")));
      }
    }
    assertThat(answers.get("try REST")).doesNotContainIgnoringCase("error");
    assertThat(answers.get("try Redis")).isEqualTo("world\n");
    assertThat(answers.get("try memcached")).contains("version: ", "curr_items: ");
  }

  /// Each of the benchmark's own loads, from some clients concurrently. Lists and their like are
  /// one entry, which is written whole with each change, and so are kept small.
  @Test
  void redisBenchmarkEndsWithoutAnError() throws Exception {
    benchmark(2_000, 512, "PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET");
    benchmark(200, 16, "LPUSH", "RPUSH", "LPOP", "RPOP", "SADD", "HSET", "LRANGE_100");
  }

  private static void benchmark(int requests, int valueBytes, String... loads) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("redis-benchmark", "-h", Clients.HOST, "-p", "" + node.port(), "--csv"));
    command.addAll(List.of("-n", "" + requests, "-d", "" + valueBytes, "-c", "8", "-r", "1000"));
    command.addAll(List.of("-t", String.join(",", loads).toLowerCase(Locale.ROOT)));
    String said = run(command.toArray(String[]::new));
    assertThat(said).doesNotContain("ERR", "Error");
    for (String load : loads) {
      assertThat(said).containsPattern("\"" + load + "[^\"]*\",\"[0-9.]+\"");
    }
  }
}
