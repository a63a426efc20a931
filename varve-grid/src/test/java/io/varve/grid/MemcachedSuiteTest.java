package io.varve.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// memcached's own tests, against a node and Infinispan's own server, and against a memcached if
/// one is given. They are those for a server that the suite did not start, and need a `perl`.
///
/// `-Dvarve.memcached.suite=DIRECTORY` names the sources of memcached 1.6, of which `t` is read.
/// With `-Dvarve.memcached.port=11211` a memcached is compared as well, which is emptied.
@EnabledIfSystemProperty(named = "varve.memcached.suite", matches = ".+")
class MemcachedSuiteTest {
  /// Those that need nothing but a port. Others move memcached's clock, read its statistics of
  /// slabs, or start it with options.
  private static final List<String> UNITS =
      List.of(
          "binary",
          "binary-get",
          "bogus-commands",
          "cas",
          "evictions",
          "flags",
          "flush-all",
          "getandtouch",
          "getset",
          "incrdecr",
          "issue_108",
          "issue_152",
          "issue_163",
          "issue_22",
          "issue_3",
          "issue_41",
          "issue_68",
          "issue_70",
          "malicious-commands",
          "multiversioning",
          "noreply",
          "quit",
          "strtol-testing",
          "touch");

  /// The tests of `getset` that are of one answer, which has 37,451 lines.
  private static final Set<String> OF_ONE_ANSWER =
      Set.of("foo returned", "foo 'hi' returned", "foo END seen");

  /// A unit that waits for an answer of which a server has none does so for good.
  private static final int UNIT_SECONDS_MAX = 60;

  private static final Path EXPLAINED = Path.of("src/test/resources/memcached-suite-explained");

  private static final Pattern RESULT = Pattern.compile("^(not )?ok (\\d+)(?: - (.*))?$");

  @TempDir Path data;

  private final ForeignSuite suite = new ForeignSuite();

  @Test
  void aNodePassesWhatThePlainServerPasses() throws Exception {
    Path tests = copy(Path.of(System.getProperty("varve.memcached.suite")));
    int memcached = Integer.getInteger("varve.memcached.port", 0);
    String port = Serving.freePort();
    try (ServeProcess _ =
            ServeProcess.start(
                data.resolve("node"), "--durability", "BACKGROUND", "--memcached-port", port);
        PlainServer plain = new PlainServer(Files.createDirectory(data.resolve("plain")))) {
      for (String unit : UNITS) {
        if (memcached != 0) {
          run(tests, "memcached", memcached, unit);
        }
        run(tests, "node", Integer.parseInt(port), unit);
        run(tests, "plain Infinispan", plain.memcachedPort(), unit);
      }
    }
    suite.requireAtLeast("node", "plain Infinispan", EXPLAINED, "memcached-suite");
  }

  private void run(Path tests, String server, int port, String unit)
      throws IOException, InterruptedException {
    String output =
        ForeignSuite.run(
            tests,
            UNIT_SECONDS_MAX,
            List.of("perl", "-I", "t/lib", "t/" + unit + ".t"),
            Map.of("T_MEMD_USE_DAEMON", Clients.HOST + ":" + port));
    // Names repeat, and numbers differ where a server answers so that a test is left out.
    Map<String, Integer> repeated = new HashMap<>();
    for (String line : output.split("\n")) {
      var result = RESULT.matcher(line.strip());
      if (result.matches()) {
        String name = result.group(3) == null ? "(no name)" : result.group(3);
        if (!OF_ONE_ANSWER.contains(name)) {
          name += " #" + repeated.merge(name, 1, Integer::sum);
        }
        suite.note(server, unit, name, result.group(1) == null);
      }
    }
  }

  /// The tests, with programs that do nothing in place of the memcached that they look for.
  private Path copy(Path sources) throws IOException {
    Path copy = data.resolve("memcached");
    try (Stream<Path> files = Files.walk(sources.resolve("t"))) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(sources.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
    for (String program : List.of("memcached", "memcached-debug", "timedrun")) {
      Path stub = Files.writeString(copy.resolve(program), "#!/bin/sh\necho 'memcached 1.6'\n");
      Files.setPosixFilePermissions(stub, PosixFilePermissions.fromString("rwx------"));
    }
    return copy;
  }
}
