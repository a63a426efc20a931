package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An application that is started again and again in one JVM, with a class loader of its own each
/// time, over the same directories: as devtools do it.
@Tag("slow")
@Timeout(300)
class RestartTest {
  @TempDir Path directory;

  /// Guards against a thread or a table of ours that keeps the classes of a former start. An object
  /// of those classes must not be given to the next one either.
  @Test
  void startsShareADirectoryAndLeaveNothing() throws Exception {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:SoftRefLRUPolicyMSPerMB=0", // what Spring has soft references to is no leak
                "-cp",
                // Devtools themselves hold an application that they have not started.
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.contains("spring-boot-devtools"))
                    .collect(Collectors.joining(File.pathSeparator)),
                RestartMain.class.getName(),
                "--varve.directory=" + directory.resolve("caches"),
                "--varve.store.directory=" + directory.resolve("store"))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(output.toFile()))
            .start();
    try {
      assertThat(process.waitFor()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(values(lines, RestartMain.CALLS))
        .as(String.join("\n", lines))
        .containsExactlyElementsOf(
            Stream.concat(Stream.of("6"), Collections.nCopies(RestartMain.STARTS - 1, "0").stream())
                .toList());
    assertThat(values(lines, RestartMain.THREAD)).noneMatch(name -> name.startsWith("varve"));
    assertThat(values(lines, RestartMain.LOADERS))
        .as(String.join("\n", lines))
        .containsExactly("0");
  }

  private static List<String> values(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .toList();
  }
}
