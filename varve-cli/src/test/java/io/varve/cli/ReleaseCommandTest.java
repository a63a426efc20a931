package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How `./varve release` reads its command line. What it builds takes minutes, and checks itself.
class ReleaseCommandTest {
  private record Outcome(int exitCode, String output) {}

  @TempDir Path directory;

  private static Outcome run(Path launcher, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("sh", launcher.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("VARVE_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = String.join("\n", process.inputReader().lines().toList());
    return new Outcome(process.waitFor(), output);
  }

  @Test
  void helpReportsWhatItTakes() throws Exception {
    Outcome outcome = run(Path.of("..", "varve"), "release", "--help");
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.output()).contains("--dry-run", "--to DIR", "--check-reproducible");
  }

  @Test
  void nothingIsReleasedWithoutDryRun() throws Exception {
    Outcome outcome = run(Path.of("..", "varve"), "release");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.output()).contains("nothing is published yet");
  }

  @Test
  void unknownOptionsAreRefused() throws Exception {
    Outcome outcome = run(Path.of("..", "varve"), "release", "--dryrun");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.output()).contains("unknown option: --dryrun");
  }

  /// What a user has in a directory is not mixed with a release.
  @Test
  void directoriesThatHoldSomethingAreRefused() throws Exception {
    Files.writeString(directory.resolve("mine"), "mine");
    Outcome outcome =
        run(Path.of("..", "varve"), "release", "--dry-run", "--to", directory.toString());
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.output()).contains("is not empty");
  }

  /// In the archive of a release there is nothing to build from.
  @Test
  void launcherOfAnArchiveBuildsNothing() throws Exception {
    Files.createDirectories(directory.resolve("lib/varve-cli"));
    Path launcher = Files.createDirectory(directory.resolve("bin")).resolve("varve");
    Files.copy(Path.of("..", "varve"), launcher);
    for (String command : List.of("test", "bench", "release")) {
      Outcome outcome = run(launcher, command);
      assertThat(outcome.exitCode()).as(command).isEqualTo(2);
      assertThat(outcome.output()).contains("'" + command + "' is for the sources of Varve");
    }
  }
}
