package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which modules `./varve test` and its `--quick` test, in a repository of their names alone and
/// with a Maven that only prints what it was asked for.
class QuickTestsTest {
  @TempDir Path directory;
  private Path home;

  @BeforeEach
  void makeRepository() throws Exception {
    home = Files.createDirectory(directory.resolve("home"));
    Files.copy(Path.of("..", "varve"), home.resolve("varve"));
    Path maven = Files.createDirectory(directory.resolve("bin")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\necho \"$@\"\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    for (String module :
        List.of("engine", "varve-cache", "varve-cli", "varve-s3", "varve-spring-boot-starter")) {
      Files.createDirectories(home.resolve(module).resolve("src/test"));
      Files.writeString(home.resolve(module).resolve("pom.xml"), module);
    }
    Files.writeString(Files.createDirectory(home.resolve("varve-bom")).resolve("pom.xml"), "bom");
    Files.writeString(home.resolve("README.md"), "first");
    run("git", "init", "-q");
    commit();
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
    // Of a hook that runs these tests: its variables name the repository that they are run for.
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("VARVE_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().merge("PATH", directory + "/bin:", (path, first) -> first + path);
    Process process = builder.start();
    process.getOutputStream().close();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as("%s: %s", List.of(command), lines).isZero();
    return lines;
  }

  private void commit() throws IOException, InterruptedException {
    run("git", "config", "user.name", "a");
    run("git", "config", "user.email", "a@b");
    run("git", "config", "commit.gpgsign", "false");
    run("git", "add", "-A");
    run("git", "commit", "-q", "-m", "a");
  }

  /// The modules that Maven was asked to test.
  private List<String> tested(String... modules) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("sh", "varve", "test", "--quick"));
    command.addAll(List.of(modules));
    return run(command.toArray(String[]::new)).stream()
        .filter(line -> line.contains("-pl"))
        .map(line -> line.replaceAll(".* -pl (\\S+) .*", "$1"))
        .toList();
  }

  @Test
  void changedModulesAreTested() throws Exception {
    Files.writeString(home.resolve("engine/pom.xml"), "changed");
    Files.writeString(home.resolve("varve-cache/New.java"), "new");
    Files.writeString(home.resolve("README.md"), "changed");
    assertThat(tested()).containsExactly("engine", "varve-cache");
    commit();
    assertThat(tested()).containsExactly("engine", "varve-cache");
  }

  @Test
  void digitsAndDashesArePartOfTheNameOfAModule() throws Exception {
    Files.writeString(home.resolve("varve-s3/pom.xml"), "changed");
    Files.writeString(home.resolve("varve-spring-boot-starter/pom.xml"), "changed");
    assertThat(tested()).containsExactly("varve-s3", "varve-spring-boot-starter");
    assertThat(run("sh", "varve", "test", "--quick", "varve-spring-boot-starter"))
        .anyMatch(line -> line.contains("-Dtest=io/varve/spring/**/*Test"));
  }

  @Test
  void modulesWithoutTestsAreLeftOut() throws Exception {
    Files.writeString(home.resolve("varve-bom/pom.xml"), "changed");
    Files.writeString(home.resolve("varve-cache/pom.xml"), "changed");
    assertThat(tested()).containsExactly("varve-cache");
  }

  @Test
  void allModulesAreTestedAsTheCallerWishes() throws Exception {
    assertThat(mavens("test"))
        .containsExactly(
            "-B -ntp package -DskipTests -Dmaven.artifact.threads=16 -T 4", "-B -ntp verify");
    assertThat(mavens("test", "-T", "1"))
        .containsExactly(
            "-B -ntp package -DskipTests -Dmaven.artifact.threads=16 -T 1 -T 4",
            "-B -ntp verify -T 1");
  }

  /// What Maven was asked for, each time.
  private List<String> mavens(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("sh", "varve"));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new)).stream()
        .filter(line -> line.startsWith("-B "))
        .toList();
  }

  @Test
  void modulesThatAreNamedAreTested() throws Exception {
    assertThat(tested("varve-cli", "engine")).containsExactly("varve-cli", "engine");
  }

  /// A skip of an execution comes before the property of Maven: a build for a command ran the long
  /// tests of classes that were there.
  @Test
  void aBuildWithoutTestsSkipsTheExecutionsWithAJvmOfTheirOwnToo() throws Exception {
    String pom = Files.readString(Path.of("..", "pom.xml"));
    assertThat(pom.split("<skip>\\$\\{test\\.default\\.only}</skip>")).hasSize(4);
    assertThat(pom).contains("<test.default.only>${maven.test.skip}</test.default.only>");
    assertThat(Files.readString(home.resolve("varve"))).contains("-Dmaven.test.skip=true");
  }
}
