package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher of an archive, with a Java that only reports that it was started.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
final class LauncherHelpTest {
  @TempDir Path archive;

  @BeforeEach
  void unpack() throws IOException {
    Files.createDirectories(archive.resolve("bin"));
    Files.createDirectories(archive.resolve("lib/varve-cli"));
    Files.createDirectories(archive.resolve("share"));
    Files.copy(Path.of("..", "varve"), archive.resolve("bin/varve"));
    Path java = Files.createDirectories(archive.resolve("runtime/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho started\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(archive.resolve("runtime/release"), "JAVA_VERSION=\"25\"\n");
  }

  private String varve(String... arguments) throws IOException, InterruptedException {
    var command = new ProcessBuilder("sh", archive.resolve("bin/varve").toString());
    command.command().addAll(List.of(arguments));
    command.environment().remove("VARVE_JAVA_HOME");
    Process process = command.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "help"})
  void helpNeedsNoJava(String word) throws Exception {
    Files.writeString(archive.resolve("share/help.txt"), "the commands\n");
    assertThat(varve(word)).isEqualTo("the commands\n");
  }

  @Test
  void helpOfACommandAndHelpWithoutATextAreJavas() throws Exception {
    assertThat(varve("--help")).isEqualTo("started\n");
    Files.writeString(archive.resolve("share/help.txt"), "the commands\n");
    assertThat(varve("get", "--help")).isEqualTo("started\n");
    assertThat(varve("stats")).isEqualTo("started\n");
  }

  /// Java's own file of classes was read as standard input where that was closed: a put stored it.
  /// An empty input would be stored as well.
  @ParameterizedTest
  @ValueSource(strings = {"sh", "bash"})
  void aClosedInputCannotBeRead(String shell) throws Exception {
    Files.writeString(archive.resolve("runtime/bin/java"), "#!/bin/sh\ncat\necho read $?\n");
    String launcher = archive.resolve("bin/varve").toString();
    Process process =
        new ProcessBuilder("sh", "-c", "exec $1 \"$2\" put s k <&-", "sh", shell, launcher)
            .redirectErrorStream(true)
            .start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).endsWith("read 1\n");
  }

  /// A file of the store that Java opened would have had such a number, and got the messages.
  @ParameterizedTest
  @ValueSource(strings = {"sh", "bash"})
  @EnabledOnOs(value = OS.LINUX, disabledReason = "it has /proc")
  void closedStreamsKeepTheirNumbers(String shell) throws Exception {
    Path streams = archive.resolve("streams");
    Files.writeString(
        archive.resolve("runtime/bin/java"),
        """
        #!/bin/sh
        zero=$(readlink /proc/$$/fd/0)
        one=$(readlink /proc/$$/fd/1)
        two=$(readlink /proc/$$/fd/2)
        printf '%s\\n' "$zero" "$one" "$two" >'STREAMS'
        """
            .replace("STREAMS", streams.toString()));
    String launcher = archive.resolve("bin/varve").toString();
    String closed = "exec $1 \"$2\" stats <&- >&- 2>&-";
    Process process = new ProcessBuilder("sh", "-c", closed, "sh", shell, launcher).start();
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readAllLines(streams)).isEqualTo(Collections.nCopies(3, "/dev/null"));
  }

  /// In the locale C, which containers have, Java would make every other letter a question mark.
  @Test
  void argumentsAreUtf8InTheLocaleOfAContainer() throws Exception {
    Files.writeString(archive.resolve("runtime/bin/java"), "#!/bin/sh\necho \"$LC_ALL\"\n");
    for (String locale : List.of("", "C", "POSIX")) {
      assertThat(varveIn(locale)).as(locale).isEqualTo("C.UTF-8\n");
    }
    assertThat(varveIn("de_DE.ISO-8859-1")).isEqualTo("de_DE.ISO-8859-1\n");
  }

  private String varveIn(String locale) throws IOException, InterruptedException {
    var command = new ProcessBuilder("sh", archive.resolve("bin/varve").toString(), "stats");
    command.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
    command.environment().put("LC_ALL", locale);
    Process process = command.redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
