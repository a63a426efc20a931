package io.varve.query.internal.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys that are texts, with rows in memory and not.
class KeyBatchesTest {
  private static final int KEYS = 20_000;
  private static final int SMALL_BATCHES = 260;

  @TempDir Path directory;

  private static List<String> keys() {
    List<String> keys =
        new ArrayList<>(
            IntStream.range(0, KEYS)
                .mapToObj(number -> String.format(Locale.ROOT, "key %07d", number))
                .toList());
    Collections.shuffle(keys, new Random(1));
    return keys;
  }

  private static SortedRun run(List<String> keys) {
    Iterator<String> left = keys.iterator();
    return new SortedRun() {
      private String key = "";

      @Override
      public boolean next() {
        if (!left.hasNext()) {
          return false;
        }
        key = left.next();
        return true;
      }

      @Override
      public byte[] key() {
        return key.getBytes(US_ASCII);
      }

      @Override
      public byte[] payload() {
        return new byte[0];
      }

      @Override
      public void close() {}
    };
  }

  private List<String> read(List<String> keys, long keysMax, LongSupplier loads) {
    List<String> read = new ArrayList<>();
    var settings = new SortSettings(1 << 24, directory);
    try (var batches = new KeyBatches(run(keys), settings, new Meter(), keysMax, false, loads)) {
      while (batches.next()) {
        read.add(new String(batches.key(), US_ASCII));
      }
    }
    return read;
  }

  /// KEYBATCH-4
  @Test
  void textsStayInTheirOrderWhileRowsAreInMemory() {
    List<String> keys = keys();
    List<String> read = read(keys, Long.MAX_VALUE, () -> 0);
    assertThat(read.subList(SMALL_BATCHES, KEYS)).isEqualTo(keys.subList(SMALL_BATCHES, KEYS));
    assertThat(read).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(read(keys, 9_000, () -> 0)).hasSize(9_000);
  }

  @Test
  void textsAreSortedWhereRowsAreLoaded() {
    long[] loads = {0};
    List<String> read = read(keys(), Long.MAX_VALUE, () -> loads[0] += 1_000);
    assertThat(read.subList(SMALL_BATCHES, SMALL_BATCHES + 16_384)).isSorted();
    assertThat(read).containsExactlyInAnyOrderElementsOf(keys());
  }

  /// As where others have taken the memory since.
  @Test
  void textsAreSortedOnceRowsAreLoaded() {
    long[] calls = {0};
    List<String> read = read(keys(), Long.MAX_VALUE, () -> calls[0]++ < 3 ? 0 : 100_000 * calls[0]);
    assertThat(read).containsExactlyInAnyOrderElementsOf(keys());
    assertThat(read.subList(KEYS - 5_000, KEYS)).isSorted();
  }
}
