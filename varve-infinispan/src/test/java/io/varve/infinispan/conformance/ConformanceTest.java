package io.varve.infinispan.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Infinispan's own tests of stores pass over Varve, every one of them, in a JVM of their own: they
/// want packages of the JDK opened, and have BlockHound find calls that block where none may. With
/// `-Dvarve.infinispan=all` a class more, which takes minutes.
@Tag("slow")
@Timeout(1800)
class ConformanceTest {
  private static final int TRACE_LINES = 12;

  /// What each of the classes has, for all of its parameters.
  private final Map<Class<?>, Integer> tests =
      new HashMap<>(
          Map.of(
              StoreSuite.class, 3 * 18,
              FunctionalSuite.class, 4 * 12,
              MultiStoreSuite.class, 2,
              IterationSuite.class, 4,
              CrossSiteSuite.class, 2,
              ConfigurationSuite.class, 3,
              DistRestartSuite.class, 8));

  ConformanceTest() {
    if (System.getProperty("varve.infinispan", "").equals("all")) {
      tests.put(ReplRestartSuite.class, 7); // waits for minutes until nodes stop trying to join
    }
  }

  @TempDir Path directory;

  @Test
  void infinispansOwnTestsPass() throws Exception {
    Path output = directory.resolve("output.txt");
    Process suites = start(output);
    try {
      int exitCode = suites.waitFor();
      List<String> printed = Files.readAllLines(output);
      assertThat(failures(printed)).isEmpty();
      assertThat(printed)
          .containsAll(
              tests.entrySet().stream()
                  .map(each ->
                      ConformanceMain.PASSED
                          + each.getKey().getSimpleName()
                          + "="
                          + each.getValue())
                  .toList());
      assertThat(exitCode).isZero();
    } finally {
      suites.destroyForcibly();
    }
  }

  /// The tests that failed, each with the first lines of its trace.
  private static List<String> failures(List<String> printed) {
    return IntStream.range(0, printed.size())
        .filter(line -> printed.get(line).contains(ConformanceMain.FAILED))
        .mapToObj(line ->
            String.join("\n", printed.subList(line, Math.min(line + TRACE_LINES, printed.size()))))
        .toList();
  }

  private Process start(Path output) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Most of the time goes into the start of the JVM and what is called a few times.
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    for (String opened : List.of("java.lang", "java.util", "java.util.concurrent")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    // For BlockHound and Mockito, which rewrite classes.
    command.add("-XX:+AllowRedefinitionToAddDeleteMethods");
    command.add("-XX:+EnableDynamicAgentLoading");
    command.add("-Djdk.attach.allowAttachSelf=true");
    command.add("-Dnet.bytebuddy.experimental=true");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Djgroups.bind_addr=127.0.0.1");
    command.add("-Djgroups.join_timeout=500");
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Dinfinispan.cluster.stack=test-tcp");
    command.add("-Djava.io.tmpdir=" + directory);
    command.add("-Dinfinispan.test.tmpdir=" + directory);
    // Where the tests look for the files in test-classes/configs/all.
    Path testClasses =
        Path.of(getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
    command.add("-Dbuild.directory=" + testClasses.getParent());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ConformanceMain.class.getName());
    tests.keySet().stream().map(Class::getName).sorted().forEach(command::add);
    return new ProcessBuilder(command)
        .directory(new File(directory.toString()))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(output.toFile()))
        .start();
  }
}
