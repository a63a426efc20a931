package io.varve.query.internal.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.query.ScratchFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
      assertThat(directory).isEmptyDirectory(); // SCRATCH-1: a kill would leave nothing
      assertOwnersAlone();
      assertSorted(sorter.sorted());
    }
    assertThat(meter.spilledBytes).isPositive();
    assertThat(files()).isZero();
  }

  /// SCRATCH-2: a row of an encrypted store was in clear in the files of a sort.
  @Test
  void filesAreEncrypted() throws IOException {
    byte[] secret = "in clear".getBytes(ISO_8859_1);
    try (var sorter = new KeySorter(new SortSettings(1 << 14, directory), new Meter())) {
      for (int i = 0; i < 10_000; i++) {
        sorter.add(secret, secret);
      }
      List<Path> open = ScratchFiles.openIn(directory);
      assertThat(open).isNotEmpty();
      for (Path file : open) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1)).doesNotContain("clear");
      }
      try (SortedRun run = sorter.sorted()) {
        assertThat(run.next()).isTrue();
        assertThat(run.payload()).isEqualTo(secret);
      }
    }
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

  /// A sort of many files writes each pair once for each level of merges, and no file is one of too
  /// many that are open.
  @Test
  void filesAreMergedByLevels() throws IOException {
    var meter = new Meter();
    int pairs = 4_400;
    int pairBytes = 100;
    try (var sorter = new KeySorter(new SortSettings(3 * pairBytes, directory), meter)) {
      for (int i = 0; i < pairs; i++) {
        sorter.add(ByteBuffer.allocate(pairBytes).putInt(Integer.reverse(i)).array(), new byte[0]);
        if (i % 100 == 0) {
          assertThat(files()).isLessThan(3 * 32);
        }
      }
      SortedRun run = sorter.sorted();
      assertThat(files()).isLessThanOrEqualTo(32);
      long fileBytes = pairs * (pairBytes + 2L * Integer.BYTES);
      assertThat(meter.spilledBytes).isLessThan(4 * fileBytes);
      int count = 0;
      while (run.next()) {
        count++;
      }
      assertThat(count).isEqualTo(pairs);
    }
    assertThat(files()).isZero();
  }

  /// As by a full disk, or a lack of memory: what was written so far is deleted.
  @Test
  void aRunThatCannotBeWrittenToItsEndLeavesNoFile() throws IOException {
    for (Throwable failure :
        List.of(
            new UncheckedIOException(new IOException("no space left")),
            new OutOfMemoryError("none left"))) {
      FailingRun run = new FailingRun(failure, false);
      assertThatThrownBy(() -> RunFile.write(run, directory)).isSameAs(failure);
      assertThat(run.isClosed).isTrue();
      assertThat(files()).isZero();
      assertThatThrownBy(() -> RunFile.write(new FailingRun(failure, true), directory))
          .isSameAs(failure);
      assertThat(files()).isZero();
    }
  }

  @Test
  void aSortThatCannotWriteDeletesItsFiles() throws IOException {
    Path gone = Files.createDirectory(directory.resolve("gone"));
    var sorter = new KeySorter(new SortSettings(1000, gone), new Meter());
    Files.delete(gone);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                sorter.add(new byte[100], new byte[100]);
              }
            })
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("a temporary file of a sort failed")
        .hasMessageContaining("free disk space");
    sorter.close();
  }

  /// Gives pairs until it fails.
  private static final class FailingRun implements SortedRun {
    private final Throwable failure;
    private final boolean failsAtClose;
    private int pairs;
    private boolean isClosed;

    FailingRun(Throwable failure, boolean failsAtClose) {
      this.failure = failure;
      this.failsAtClose = failsAtClose;
    }

    @Override
    public boolean next() {
      if (++pairs <= 10_000) {
        return true;
      }
      if (failsAtClose) {
        return false;
      }
      throw failed();
    }

    private RuntimeException failed() {
      if (failure instanceof Error error) {
        throw error;
      }
      return (RuntimeException) failure;
    }

    @Override
    public byte[] key() {
      return new byte[20];
    }

    @Override
    public byte[] payload() {
      return new byte[0];
    }

    @Override
    public void close() {
      isClosed = true;
      if (failsAtClose) {
        throw failed();
      }
    }
  }

  private long files() throws IOException {
    return ScratchFiles.openIn(directory).size();
  }

  private void assertOwnersAlone() throws IOException {
    for (Path file : ScratchFiles.openIn(directory)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }
}
