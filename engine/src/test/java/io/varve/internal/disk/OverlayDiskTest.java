package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverlayDiskTest {
  private static final int BYTES = 50_000;
  private static final long MEMORY_BYTES_MAX = 1 << 20;

  @TempDir Path directory;

  private final byte[] content = new byte[BYTES];

  @BeforeEach
  void writeFile() throws IOException {
    new SplittableRandom(1).nextBytes(content);
    Files.createDirectory(directory.resolve("log"));
    Files.write(directory.resolve("log/a"), content);
  }

  private OverlayDisk overlay() {
    return new OverlayDisk(FileDisk.openReadOnly(directory), MEMORY_BYTES_MAX);
  }

  private static byte[] all(DiskFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()) + 10);
    int count = file.read(0, bytes);
    return Arrays.copyOf(bytes.array(), count);
  }

  /// Random writes and cuts give what they give to an array, and nothing to the file below.
  @Test
  void randomChangesAreSeenHereAlone() throws IOException {
    long seed = Long.getLong("varve.seed", 7);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] model = content.clone();
    try (OverlayDisk disk = overlay();
        DiskFile file = disk.open("log/a")) {
      for (int i = 0; i < 400; i++) {
        if (random.nextInt(10) == 0) {
          int size = random.nextInt(model.length + 1);
          file.truncate(size);
          model = Arrays.copyOf(model, size);
        } else {
          int position = random.nextInt(BYTES);
          byte[] bytes = new byte[random.nextInt(12_000)];
          if (random.nextBoolean()) {
            random.nextBytes(bytes);
          }
          file.write(position, ByteBuffer.wrap(bytes));
          if (bytes.length > 0) {
            model = Arrays.copyOf(model, Math.max(model.length, position + bytes.length));
            System.arraycopy(bytes, 0, model, position, bytes.length);
          }
        }
        assertThat(all(file)).as("seed=%d, step=%d", seed, i).isEqualTo(model);
      }
      assertThat(disk.memoryBytes()).isPositive().isLessThanOrEqualTo(BYTES + 12_000 + 8192);
    }
    assertThat(Files.readAllBytes(directory.resolve("log/a"))).isEqualTo(content);
  }

  /// (OVERLAY-1)
  @Test
  void bytesThatAreThereTakeNoMemory() throws IOException {
    try (OverlayDisk disk = overlay();
        DiskFile file = disk.open("log/a");
        DiskFile zeros = disk.open("log/b", FileOption.CREATE_NEW)) {
      file.write(100, ByteBuffer.wrap(content, 100, BYTES - 100));
      zeros.write(0, ByteBuffer.allocate(3 << 20));
      assertThat(zeros.size()).isEqualTo(3 << 20);
      assertThat(disk.memoryBytes()).isZero();
      file.write(5000, ByteBuffer.wrap(new byte[] {(byte) ~content[5000]}));
      assertThat(disk.memoryBytes()).isEqualTo(4096);
      file.truncate(10);
      assertThat(disk.memoryBytes()).isZero();
    }
  }

  @Test
  void moreThanTheMemoryIsAFullDisk() throws IOException {
    try (OverlayDisk disk = overlay();
        DiskFile file = disk.open("pages", FileOption.CREATE)) {
      byte[] ones = new byte[(int) MEMORY_BYTES_MAX];
      Arrays.fill(ones, (byte) 1);
      file.write(0, ByteBuffer.wrap(ones));
      assertThatThrownBy(() -> file.write(ones.length, ByteBuffer.wrap(ones)))
          .isInstanceOf(DiskFullException.class)
          .hasMessageContaining("bytesMax=" + MEMORY_BYTES_MAX)
          .hasMessageContaining("cacheBytes");
      disk.delete("pages");
      assertThat(all(file)).startsWith(ones); // a file that is open can still be read
    }
  }

  @Test
  void namesChangeHereAlone() throws IOException {
    try (OverlayDisk disk = overlay()) {
      assertThatThrownBy(() -> disk.open("none")).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> disk.open("log/a", FileOption.CREATE_NEW))
          .isInstanceOf(FileAlreadyExistsException.class);
      disk.rename("log/a", "log/b");
      assertThat(disk.list("log")).containsExactly("b");
      assertThat(disk.exists("log/a")).isFalse();
      try (DiskFile moved = disk.open("log/b");
          DiskFile again = disk.open("log/a", FileOption.CREATE_NEW)) {
        assertThat(all(moved)).isEqualTo(content);
        assertThat(again.size()).isZero();
      }
      disk.delete("log/b");
      disk.createDirectory("log/kept");
      assertThat(disk.list("log")).containsExactly("a", "kept");
      assertThat(disk.list("")).containsExactly("log");
      assertThatThrownBy(() -> disk.rename("log/b", "log/c"))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(directory.resolve("log")).isDirectoryContaining("glob:**/a");
    assertThat(directory.resolve("log/kept")).doesNotExist();
  }

  @Test
  void mappedMemoryHoldsWhatTheFileHeld() throws IOException {
    try (OverlayDisk disk = overlay();
        DiskFile file = disk.open("log/a")) {
      file.write(4096, ByteBuffer.wrap(new byte[] {1, 2, 3}));
      Mapping mapping = file.map(4096, 8192);
      byte[] expected = Arrays.copyOfRange(content, 4096, 4096 + 8192);
      System.arraycopy(new byte[] {1, 2, 3}, 0, expected, 0, 3);
      assertThat(mapping.memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
          .isEqualTo(expected);
    }
  }

  @Test
  void aClosedHandleIsOfNoUse() throws IOException {
    try (OverlayDisk disk = overlay();
        DiskFile other = disk.open("log/a")) {
      DiskFile file = disk.open("log/a");
      file.close();
      file.close();
      assertThatThrownBy(file::size).isInstanceOf(FileClosedException.class);
      assertThat(all(other)).isEqualTo(content);
    }
  }

  /// The directory below refuses every call that would change it.
  @Test
  void theDirectoryBelowRefusesChanges() throws IOException {
    FileDisk below = FileDisk.openReadOnly(directory);
    assertThatThrownBy(() -> below.open("log/a")).hasMessageContaining("open read-only");
    assertThatThrownBy(() -> below.delete("log/a")).hasMessageContaining("open read-only");
    assertThatThrownBy(() -> below.rename("log/a", "b")).hasMessageContaining("open read-only");
    assertThatThrownBy(() -> below.createDirectory("d")).hasMessageContaining("open read-only");
    try (DiskLock lock = below.lock("lock")) {
      assertThat(lock.wasSigned()).isFalse();
      assertThatThrownBy(lock::sign).hasMessageContaining("not signed");
    }
    assertThat(directory.resolve("lock")).doesNotExist();
  }
}
