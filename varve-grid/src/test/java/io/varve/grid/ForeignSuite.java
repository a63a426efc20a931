package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// What tests of another project's suite end with at several servers, by the unit and the name of
/// each, and the table of it.
///
/// (SUITE-1) A test that Infinispan's own server passes, a node passes as well, unless a file names
/// the test and the reason.
final class ForeignSuite {
  private static final Pattern COLOUR = Pattern.compile("\\x1b\\[[0-9;]*m");

  /// Results of servers, in the order of their columns.
  private final Map<String, Map<String, Boolean>> servers = new LinkedHashMap<>();

  /// Runs a program of the suite for one unit, and gives what it printed. One that does not end is
  /// ended, and what follows counts as not passed.
  static String run(Path directory, int secondsMax, List<String> command, Map<String, String> more)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("suite", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().putAll(more);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      return COLOUR.matcher(Files.readString(output, ISO_8859_1)).replaceAll("");
    } finally {
      Files.delete(output);
    }
  }

  /// Notes whether a test passed. One of several of the same name that fails counts for all.
  void note(String server, String unit, String test, boolean passed) {
    servers
        .computeIfAbsent(server, _ -> new TreeMap<>())
        .merge(unit + ": " + test, passed, Boolean::logicalAnd);
  }

  /// The numbers of tests that passed, by unit. A test counts that was begun at any server.
  String table() {
    Map<String, Map<String, List<Boolean>>> units = new TreeMap<>();
    servers
        .values()
        .forEach(results ->
            results
                .keySet()
                .forEach(test ->
                    units
                        .computeIfAbsent(
                            test.substring(0, test.indexOf(": ")), _ -> new TreeMap<>())
                        .put(test, List.of())));
    StringBuilder table = new StringBuilder("| unit | tests |");
    servers.keySet().forEach(server -> table.append(' ').append(server).append(" |"));
    table.append("\n|---|---|").append("---|".repeat(servers.size())).append('\n');
    units.forEach((unit, tests) -> {
      table.append("| `").append(unit).append("` | ").append(tests.size()).append(" |");
      servers
          .values()
          .forEach(results -> {
            long passed =
                tests.keySet().stream().filter(test -> results.getOrDefault(test, false)).count();
            table.append(' ').append(passed).append(" |");
          });
      table.append('\n');
    });
    return table.toString();
  }

  /// The tests that one server passes and another does not.
  List<String> passedBy(String one, String other) {
    List<String> tests = new ArrayList<>();
    servers
        .getOrDefault(one, Map.of())
        .forEach((test, passed) -> {
          if (passed && !servers.getOrDefault(other, Map.of()).getOrDefault(test, false)) {
            tests.add(test);
          }
        });
    return tests;
  }

  /// Compares a node with Infinispan's own server (SUITE-1). A file of the build has the table, and
  /// the tests that only one of them passes.
  ///
  /// @param explained a file of tests that only the plain server passes, each with its reason after
  ///   ` -- `
  void requireAtLeast(String node, String plain, Path explained, String name) throws IOException {
    List<String> lost = passedBy(plain, node);
    Files.writeString(
        Files.createDirectories(Path.of("target")).resolve(name + ".md"),
        table()
            + "\nPassed by the plain server alone:\n"
            + String.join("\n", lost)
            + "\n\nPassed by the node alone:\n"
            + String.join("\n", passedBy(node, plain))
            + "\n\nPassed by neither of them:\n"
            + String.join("\n", failedBy(node, plain))
            + "\n");
    List<String> reasons =
        Files.readAllLines(explained).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split(" -- ")[0])
            .toList();
    lost.removeAll(reasons);
    assertThat(lost).isEmpty();
  }

  private List<String> failedBy(String one, String other) {
    return servers.get(one).keySet().stream()
        .filter(
            test -> !servers.get(one).get(test) && !servers.get(other).getOrDefault(test, false))
        .toList();
  }
}
