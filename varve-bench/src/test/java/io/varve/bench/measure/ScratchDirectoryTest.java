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
    try (ScratchDirectory data = ScratchDirectory.create(path);
        ScratchDirectory inner = data.inner("inner")) {
      Files.writeString(inner.path().resolve("file"), "content");
      assertThat(ProcessUse.diskBytes(path)).isPositive();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  @EnabledIf("hasMemoryFileSystem")
  void fileSystemInMemoryIsRefused() {
    try (ScratchDirectory data = ScratchDirectory.create(MEMORY.resolve("varve-bench-test"))) {
      assertThatThrownBy(data::requireRealDisk).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
