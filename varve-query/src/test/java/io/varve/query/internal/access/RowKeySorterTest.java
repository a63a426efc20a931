package io.varve.query.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.query.ScratchFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys of all lengths come in the order of their bytes, whether they are sorted as numbers or not.
class RowKeySorterTest {
  private static final int KEYS = 5_000;
  private static final long MUCH = 1 << 30;
  private static final long LITTLE = 1 << 12;

  @TempDir private Path directory;
  private final Random random = new Random(3);
  private final Meter meter = new Meter();

  @Test
  void keysOfEachLengthAreSorted() throws IOException {
    for (int length = 0; length <= 10; length++) {
      for (long memoryBytes : new long[] {MUCH, LITTLE}) {
        assertSorted(keys(length), memoryBytes);
      }
    }
  }

  /// The first keys are numbers, in files too, and a later one is not.
  @Test
  void keysOfSeveralLengthsAreSorted() throws IOException {
    for (int first : new int[] {0, 1, 100, KEYS - 1}) {
      for (long memoryBytes : new long[] {MUCH, LITTLE}) {
        List<byte[]> keys = keys(8);
        for (int i = first; i < KEYS; i++) {
          keys.set(i, key(random.nextInt(12)));
        }
        assertSorted(keys, memoryBytes);
      }
    }
  }

  @Test
  void whatDoesNotFitIsInFiles() throws IOException {
    assertSorted(keys(8), LITTLE);
    assertThat(meter.spilledBytes).isPositive();
    assertThat(meter.sorted).isEqualTo(KEYS);
  }

  @Test
  void numbersTakeTheirBytesAlone() throws IOException {
    assertSorted(keys(8), KEYS * 2 * Long.BYTES);
    assertThat(meter.spilledBytes).isZero();
  }

  private List<byte[]> keys(int length) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(key(length));
    }
    return keys;
  }

  private byte[] key(int length) {
    byte[] key = new byte[length];
    random.nextBytes(key);
    return key;
  }

  private void assertSorted(List<byte[]> keys, long memoryBytes) throws IOException {
    List<byte[]> found = new ArrayList<>();
    try (var sorter = new RowKeySorter(new SortSettings(memoryBytes, directory), meter)) {
      keys.forEach(sorter::add);
      try (SortedRun run = sorter.sorted()) {
        while (run.next()) {
          assertThat(run.payload()).isEmpty();
          found.add(run.key());
        }
        assertThat(run.next()).isFalse();
      }
    }
    List<byte[]> expected = keys.stream().sorted(Arrays::compareUnsigned).toList();
    assertThat(found).usingElementComparator(Arrays::compareUnsigned).isEqualTo(expected);
    assertThat(ScratchFiles.openIn(directory)).isEmpty();
  }
}
