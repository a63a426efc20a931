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

  /// (KEYBATCH-3) Where no file can be written, no key is lost, and none is there twice.
  @Test
  void keysStayInMemoryWhereNoFileCanBeWritten() {
    for (int other : new int[] {8, 9}) {
      var settings = new SortSettings(LITTLE, directory.resolve("gone"));
      try (var sorter = new RowKeySorter(settings, meter)) {
        List<byte[]> taken = new ArrayList<>();
        while (sorter.hasCapacity()) {
          byte[] key = key(taken.size() < 100 ? 8 : other);
          taken.add(key);
          sorter.add(key);
        }
        assertThat(sorter.hasCapacity()).isFalse();
        try (SortedRun run = sorter.sorted()) {
          assertRun(run, taken);
        }
      }
    }
  }

  /// (KEYBATCH-3)
  @Test
  void capacityEndsBeforeFilesAreMerged() throws IOException {
    try (var sorter = new RowKeySorter(new SortSettings(LITTLE, directory), meter)) {
      List<byte[]> taken = new ArrayList<>();
      while (sorter.hasCapacity()) {
        byte[] key = key(9);
        taken.add(key);
        sorter.add(key);
      }
      assertThat(ScratchFiles.openIn(directory)).hasSize(31);
      try (SortedRun run = sorter.sorted()) {
        assertThat(ScratchFiles.openIn(directory)).hasSize(31);
        assertRun(run, taken);
      }
    }
    assertThat(ScratchFiles.openIn(directory)).isEmpty();
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
    try (var sorter = new RowKeySorter(new SortSettings(memoryBytes, directory), meter)) {
      keys.forEach(sorter::add);
      try (SortedRun run = sorter.sorted()) {
        assertRun(run, keys);
      }
    }
    assertThat(ScratchFiles.openIn(directory)).isEmpty();
  }

  private static void assertRun(SortedRun run, List<byte[]> keys) {
    List<byte[]> found = new ArrayList<>();
    while (run.next()) {
      assertThat(run.payload()).isEmpty();
      found.add(run.key());
    }
    assertThat(run.next()).isFalse();
    List<byte[]> expected = keys.stream().sorted(Arrays::compareUnsigned).toList();
    assertThat(found).usingElementComparator(Arrays::compareUnsigned).isEqualTo(expected);
  }
}
