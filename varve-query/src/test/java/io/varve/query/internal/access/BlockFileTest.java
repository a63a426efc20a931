package io.varve.query.internal.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.query.ScratchFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pairs are found by the beginning of their keys, whether or not these differ in what is kept of
/// them in memory.
class BlockFileTest {
  private static final int PAIRS = 3_000;

  /// Of a few starts: blocks double some times.
  private static final long START_BYTES_MAX = 2_000;

  @TempDir Path directory;

  /// A run of some keys, each with a payload that names it.
  private static final class Keys implements SortedRun {
    private final Iterator<String> keys;
    private String key = "";

    Keys(Iterator<String> keys) {
      this.keys = keys;
    }

    @Override
    public boolean next() {
      boolean isThere = keys.hasNext();
      key = isThere ? keys.next() : key;
      return isThere;
    }

    @Override
    public byte[] key() {
      return key.getBytes(US_ASCII);
    }

    @Override
    public byte[] payload() {
      return payload(key).getBytes(US_ASCII);
    }

    static String payload(String key) {
      return "of " + key;
    }

    @Override
    public void close() {}
  }

  @Test
  void pairsAreFoundByTheBeginningOfTheirKeys() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    TreeSet<String> keys = new TreeSet<>();
    for (int i = 0; i < PAIRS; i++) {
      keys.add(key(random));
    }
    try (BlockFile file = BlockFile.write(new Keys(keys.iterator()), directory, START_BYTES_MAX)) {
      assertThat(directory).isEmptyDirectory();
      assertThat(ScratchFiles.openIn(directory)).hasSize(1);
      for (int i = 0; i < 2_000; i++) {
        String key = key(random);
        String beginning = key.substring(0, random.nextInt(key.length() + 1));
        assertThat(found(file, beginning)).as(beginning).isEqualTo(expected(keys, beginning));
      }
    }
    assertThat(ScratchFiles.openIn(directory)).isEmpty();
  }

  /// Short ones, and long ones that are alike for as long as a start is kept, or longer.
  private static String key(SplittableRandom random) {
    int alike = new int[] {0, 1, 62, 63, 64, 65, 200}[random.nextInt(7)];
    return "k".repeat(alike) + random.nextInt(100, 400) + "x".repeat(random.nextInt(3));
  }

  private static List<String> found(BlockFile file, String beginning) {
    List<String> found = new ArrayList<>();
    BlockFile.Pairs pairs = file.find(beginning.getBytes(US_ASCII));
    while (pairs.next()) {
      found.add(new String(pairs.payload(), US_ASCII));
    }
    return found;
  }

  private static List<String> expected(TreeSet<String> keys, String beginning) {
    return keys.tailSet(beginning).stream()
        .takeWhile(key -> key.startsWith(beginning))
        .map(Keys::payload)
        .toList();
  }
}
