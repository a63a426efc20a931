package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The image of `deploy/Containerfile` is built, and does what the guide has it do: it takes a user
/// from its standard input, serves it by TLS, ends by SIGTERM, and keeps what it was given.
///
/// `-Dvarve.image=OPTIONS` has it run by `buildah`, which needs no daemon, with options for the
/// build, such as `--pull-never`. It needs a `redis-cli`, and the images that the file names.
@Tag("slow")
@EnabledIfSystemProperty(named = "varve.image", matches = ".+")
@Timeout(1_800)
class ContainerImageTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();
  private static final String IMAGE = "localhost/varve-image-test";
  private static final String ENTRY = "/varve/entrypoint";
  private static final String PASSWORD = "words for a test";
  private static final int SECONDS_MAX = 120;

  @TempDir Path directory;

  private String container = "";

  @BeforeEach
  void build() throws Exception {
    List<String> build = new ArrayList<>(List.of("buildah", "bud", "--isolation", "chroot"));
    build.addAll(List.of(System.getProperty("varve.image").strip().split("\\s+")));
    build.addAll(List.of("-f", "deploy/Containerfile", "-t", IMAGE, "."));
    run("", build);
    container = run("", List.of("buildah", "from", "--pull-never", IMAGE)).strip();
  }

  @AfterEach
  void remove() throws Exception {
    if (!container.isEmpty()) {
      run("", List.of("buildah", "rm", container));
    }
    run("", List.of("buildah", "rmi", IMAGE));
  }

  @Test
  void aNodeServesItsUserAndKeepsWhatItWasGiven() throws Exception {
    run(
        PASSWORD + "\n",
        inContainer("user", "add", "shop", "--data", "/data", "--password-file", "-"));
    String port = Serving.freePort();
    Process node = serve(port);
    assertThat(redis(port, "SET", "k", "v")).isEqualTo("OK");
    end(node);

    node = serve(port);
    assertThat(redis(port, "GET", "k")).isEqualTo("v");
    end(node);
  }

  private List<String> inContainer(String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("buildah", "run", "--isolation", "chroot", container, "--", ENTRY));
    command.addAll(List.of(arguments));
    return command;
  }

  private Path log() {
    return directory.resolve("node.log");
  }

  private Process serve(String port) throws Exception {
    String[] serve = {"serve", "--data", "/data", "--bind", "0.0.0.0", "--port", port};
    Process node =
        new ProcessBuilder(inContainer(serve))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log().toFile()))
            .start();
    for (int i = 0; !Files.readString(log()).contains("varve: ready"); i++) {
      assertThat(i < 10 * SECONDS_MAX && node.isAlive()).as(Files.readString(log())).isTrue();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return node;
  }

  /// As the engine of containers does: the signal goes to the process that the image starts.
  private void end(Process node) throws Exception {
    ProcessHandle started =
        node.descendants()
            .filter(each -> each.info().commandLine().orElse("").contains("io.varve.grid.Main"))
            .filter(each -> each.children().findAny().isEmpty())
            .findFirst()
            .orElseThrow();
    assertThat(started.destroy()).isTrue();
    assertThat(node.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(log())).contains("Server stopped");
  }

  private String redis(String port, String... command) throws Exception {
    List<String> call = new ArrayList<>(List.of("redis-cli", "-p", port, "--tls"));
    call.addAll(List.of("--insecure", "--no-auth-warning", "--user", "shop", "--pass", PASSWORD));
    call.addAll(List.of(command));
    return run("", call).strip();
  }

  /// Runs a command that must succeed, and gives what it prints.
  private String run(String input, List<String> command) throws Exception {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Path errors = Files.createTempFile(directory, "errors", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(SOURCES.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(UTF_8));
    }
    int exit = process.waitFor();
    assertThat(exit).as("%s: %s", command, Files.readString(errors)).isZero();
    return Files.readString(output);
  }
}
