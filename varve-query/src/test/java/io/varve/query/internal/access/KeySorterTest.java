package io.varve.query.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sorts of more than memory holds: in order, complete, and without files that stay.
class KeySorterTest {
  private static final int PAIRS = 100_000;
  private static final int PAYLOAD_BYTES = 40;

  @TempDir private Path directory;

  @Test
  void whatDoesNotFitIsMergedFromFiles() throws IOException {
    var meter = new Meter();
    var random = new Random(1);
    // So small that files are merged into larger ones, too.
    try (var sorter = new KeySorter(new SortSettings(1 << 17, directory), meter)) {
      for (int i = 0; i < PAIRS; i++) {
        byte[] key = new byte[random.nextInt(12)];
        random.nextBytes(key);
        byte[] payload = Arrays.copyOf(key, PAYLOAD_BYTES);
        sorter.add(key, payload);
      }
      assertThat(files()).isPositive();
      assertOwnersAlone();
      assertSorted(sorter.sorted());
    }
    assertThat(meter.spilledBytes).isPositive();
    assertThat(files()).isZero();
  }

  private static void assertSorted(SortedRun run) {
    try (run) {
      byte[] last = {};
      int count = 0;
      while (run.next()) {
        assertThat(Arrays.compareUnsigned(last, run.key())).isLessThanOrEqualTo(0);
        assertThat(run.payload()).isEqualTo(Arrays.copyOf(run.key(), PAYLOAD_BYTES));
        last = run.key();
        count++;
      }
      assertThat(count).isEqualTo(PAIRS);
    }
  }

  @Test
  void filesOfASortThatIsLeftAreDeleted() throws IOException {
    var sorter = new KeySorter(new SortSettings(1000, directory), new Meter());
    for (int i = 0; i < 100; i++) {
      sorter.add(new byte[100], new byte[100]);
    }
    assertThat(files()).isPositive();
    sorter.close();
    assertThat(files()).isZero();
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  private void assertOwnersAlone() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
              .isEqualTo("rw-------");
        }
      }
    }
  }
}
