package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The examples in Kotlin and Groovy, compiled and run as their users do.
class LanguageExamplesTest {
  private static final Path EXAMPLES = Path.of("../examples");
  private static final String CLASSES = System.getProperty("java.class.path");

  @TempDir Path directory;

  @Test
  void theExampleInKotlinRuns() throws Exception {
    String compiled = directory.toString();
    run(
        CLASSES,
        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
        "-no-stdlib",
        "-no-reflect",
        "-jvm-target",
        "25",
        "-cp",
        CLASSES,
        "-d",
        compiled,
        EXAMPLES.resolve("kotlin/src/main/kotlin/example/FirstPut.kt").toString());
    assertThat(run(compiled + File.pathSeparator + CLASSES, "example.FirstPutKt"))
        .containsSubsequence(
            "ada: Person(name=Ada, city=Bonn, age=36)",
            "bob: Person(name=Bob, city=Bonn, age=41)",
            "moves to Bonn: 1");
  }

  @Test
  void theExampleInGroovyRuns() throws Exception {
    String program = EXAMPLES.resolve("groovy/FirstPut.groovy").toString();
    assertThat(run(CLASSES, "groovy.ui.GroovyMain", program))
        .containsSubsequence(
            "ada: Person[name=Ada, city=Bonn, age=36]",
            "bob: Person[name=Bob, city=Bonn, age=41]",
            "moves to Bonn: 1");
  }

  /// Runs a program that makes its files in the directory of the test.
  private List<String> run(String classes, String main, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The compiler of Kotlin lives for seconds: the optimizing compiler would take half of them.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Djava.io.tmpdir=" + directory, "-cp", classes, main));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }
}
