package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Redis' own tests, against a node and Infinispan's own server, and against a Redis if one is
/// given. They are those for a server that the suite did not start, and need a `tclsh`.
///
/// `-Dvarve.redis.suite=DIRECTORY` names the sources of Redis, of which `tests` is read. With
/// `-Dvarve.redis.port=6379` a Redis is compared as well, which is emptied.
@EnabledIfSystemProperty(named = "varve.redis.suite", matches = ".+")
class RedisSuiteTest {
  /// Of commands that both have. All tests of the others fail at both.
  private static final List<String> UNITS =
      List.of(
          "protocol",
          "keyspace",
          "scan",
          "type/string",
          "type/incr",
          "type/list",
          "type/set",
          "type/zset",
          "type/hash",
          "sort",
          "expire",
          "other",
          "multi",
          "quit",
          "pubsub",
          "hyperloglog",
          "introspection",
          "introspection-2");

  private static final int UNIT_SECONDS_MAX = 120;

  /// Tests that need more of a server than its port: replicas, a shell of commands for tests, or
  /// another configuration.
  private static final String TAGS =
      "-needs:debug -needs:repl -needs:save -needs:reset -needs:config-resetstat"
          + " -needs:config-maxmemory -external:skip -cluster:skip -slow";

  private static final Path EXPLAINED = Path.of("src/test/resources/redis-suite-explained");

  private static final Pattern OK = Pattern.compile("^\\[ok]: (.*) \\(\\d+ ms\\)$");
  private static final Pattern ERROR = Pattern.compile("^\\[err]: (.*) in tests/\\S+$");

  @TempDir Path data;

  private final ForeignSuite suite = new ForeignSuite();

  @Test
  void aNodePassesWhatThePlainServerPasses() throws Exception {
    Path tests = copy(Path.of(System.getProperty("varve.redis.suite")));
    int redis = Integer.getInteger("varve.redis.port", 0);
    try (ServeProcess node =
            ServeProcess.start(data.resolve("node"), "--durability", "BACKGROUND");
        PlainServer plain = new PlainServer(Files.createDirectory(data.resolve("plain")))) {
      for (String unit : UNITS) {
        if (redis != 0) {
          run(tests, "Redis", redis, unit);
        }
        run(tests, "node", node.port(), unit);
        run(tests, "plain Infinispan", plain.respPort(), unit);
      }
      suite.requireAtLeast("node", "plain Infinispan", EXPLAINED, "redis-suite");
    }
  }

  private void run(Path tests, String server, int port, String unit)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("tclsh", "tests/test_helper.tcl", "--host", Clients.HOST));
    command.addAll(List.of("--port", Integer.toString(port), "--single", "unit/" + unit));
    command.addAll(List.of("--durable", "--singledb", "--ignore-encoding", "--tags", TAGS));
    String said = ForeignSuite.run(tests, UNIT_SECONDS_MAX, command, Map.of());
    // What failed is repeated at the end, where each line begins otherwise.
    for (String line : said.split("\n")) {
      var ok = OK.matcher(line);
      var error = ERROR.matcher(line);
      if (ok.matches()) {
        suite.note(server, unit, ok.group(1), true);
      } else if (error.matches()) {
        suite.note(server, unit, error.group(1), false);
      }
    }
  }

  /// The tests, with one call made optional that none of the servers but Redis has, and that comes
  /// before each unit.
  private Path copy(Path sources) throws IOException {
    Path copy = data.resolve("redis");
    try (Stream<Path> files = Files.walk(sources.resolve("tests"))) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(sources.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (Files.isRegularFile(file)) {
          Files.copy(file, target);
        }
      }
    }
    Files.createDirectories(copy.resolve("tests/tmp"));
    Path start = copy.resolve("tests/support/server.tcl");
    String text = Files.readString(start);
    assertThat(text).contains("    r function flush\n");
    Files.writeString(
        start, text.replace("    r function flush\n", "    catch {r function flush}\n"));
    return copy;
  }
}
