package io.varve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

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
