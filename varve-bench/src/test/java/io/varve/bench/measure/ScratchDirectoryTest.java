package io.varve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ScratchDirectoryTest {
  private static final Path MEMORY = Path.of("/dev/shm");

  static boolean hasMemoryFileSystem() {
    return Files.isWritable(MEMORY);
  }

  @Test
  void closeLeavesNothing(@TempDir Path parent) throws IOException {
    Path path = parent.resolve("data");
    try (ScratchDirectory data = ScratchDirectory.claim(path);
        ScratchDirectory inner = data.inner("inner")) {
      Files.writeString(inner.path().resolve("file"), "content");
      assertThat(ProcessUse.diskBytes(path)).isPositive();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void whatAKilledRunHasLeftIsRemoved(@TempDir Path parent) throws IOException {
    Path path = parent.resolve("data");
    Files.createDirectories(path.resolve("store"));
    Files.createFile(path.resolve(".varve-bench"));
    Files.writeString(path.resolve("store").resolve("file"), "content");
    try (ScratchDirectory data = ScratchDirectory.claim(path)) {
      assertThat(data.path().resolve("store")).doesNotExist();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void aDirectoryThatARunUsesIsRefusedAndKept(@TempDir Path parent) throws IOException {
    Path path = parent.resolve("data");
    try (ScratchDirectory data = ScratchDirectory.claim(path)) {
      Path file = Files.writeString(data.path().resolve("file"), "content");
      assertThatThrownBy(() -> ScratchDirectory.claim(path))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another benchmark");
      assertThat(file).hasContent("content");
    }
  }

  /// Guards against gigabytes that stay after Ctrl-C.
  @Test
  void aRunThatIsEndedLeavesNothing(@TempDir Path parent) throws Exception {
    Path path = parent.resolve("data");
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Run.class.getName(),
                path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = run.inputReader()) {
      assertThat(output.readLine()).isEqualTo(Run.READY);
      run.toHandle().destroy(); // SIGTERM
      run.waitFor();
    } finally {
      run.destroyForcibly();
    }
    assertThat(path).doesNotExist();
  }

  /// Guards against gigabytes that stay where a link leads to another disk: the link alone was
  /// gone.
  @Test
  void whatALinkLeadsToIsEmptied(@TempDir Path parent) throws IOException {
    Path disk = Files.createDirectory(parent.resolve("disk"));
    Path link = Files.createSymbolicLink(parent.resolve("data"), disk);
    for (int run = 0; run < 2; run++) {
      try (ScratchDirectory data = ScratchDirectory.claim(link)) {
        Files.writeString(data.inner("inner").path().resolve("store"), "x");
      }
      assertThat(disk).isEmptyDirectory();
      assertThat(link).isSymbolicLink();
    }
  }

  /// A run whose child writes into the directory until both are ended.
  static final class Run {
    static final String READY = "ready";

    private Run() {}

    public static void main(String[] arguments) throws Exception {
      try (ScratchDirectory data = ScratchDirectory.claim(Path.of(arguments[0]));
          ScratchDirectory inner = data.inner("inner")) {
        Path first = inner.path().resolve("1");
        String script = "i=1; while [ $i -lt 100000 ]; do echo x > $i; i=$((i+1)); done; sleep 60";
        Process child =
            new ProcessBuilder("sh", "-c", script).directory(inner.path().toFile()).start();
        while (!Files.exists(first)) {
          Thread.onSpinWait();
        }
        System.out.println(READY);
        child.waitFor();
      }
    }
  }

  /// A slip in `--dir` must not cost anyone a directory.
  @Test
  void directoryOfOthersIsRefusedAndKept(@TempDir Path parent) throws IOException {
    Path file = Files.writeString(parent.resolve("precious"), "content");
    assertThatThrownBy(() -> ScratchDirectory.claim(parent))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(file).hasContent("content");
  }

  @Test
  @EnabledIf("hasMemoryFileSystem")
  void fileSystemInMemoryIsRefused() {
    Path path = MEMORY.resolve("varve-bench-test").resolve("data");
    assertThatThrownBy(() -> ScratchDirectory.requireRealDisk(path))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
