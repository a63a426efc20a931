package io.varve.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Runs of gathered entries come in the order of their bytes.
class RunSorterTest {
  private static final HexFormat HEX = HexFormat.of();

  private final RunSorter sorter = new RunSorter();
  private final GatheredRun run = new GatheredRun();

  /// A prefix that begins no other one: of bytes that are not 0, and then a 0.
  private static byte[] prefix(SplittableRandom random, int shared, int lengthMax, int values) {
    byte[] prefix = new byte[shared + random.nextInt(lengthMax + 1) + 1];
    Arrays.fill(prefix, 0, shared, (byte) 7);
    for (int i = shared; i < prefix.length - 1; i++) {
      prefix[i] = (byte) (255 - random.nextInt(values));
    }
    return prefix;
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number};
  }

  private List<String> sorted(int blockBytes) {
    List<String> sorted = new ArrayList<>();
    sorter.sort(run);
    byte[] block;
    while ((block = sorter.nextBlock(blockBytes)) != null) {
      int at = 0;
      for (; at < block.length; at = EntryBlock.end(block, at)) {
        sorted.add(HEX.formatHex(block, EntryBlock.entryAt(at), EntryBlock.end(block, at)));
      }
      assertThat(at).isEqualTo(block.length);
    }
    return sorted;
  }

  private void requireSorted(long seed, int count, int shared, int lengthMax, int values) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> entries = new ArrayList<>();
    run.clear();
    for (int number = 0; number < count; number++) {
      byte[] prefix = prefix(random, shared, lengthMax, values);
      byte[] key = key(number);
      run.add(prefix, key);
      entries.add(HEX.formatHex(prefix) + HEX.formatHex(key));
    }
    entries.sort(null);
    assertThat(run.size()).isEqualTo(count);
    assertThat(sorted(512)).as("seed %d, count %d", seed, count).isEqualTo(entries);
  }

  @Test
  void entriesComeInTheOrderOfTheirBytes() {
    SplittableRandom random = new SplittableRandom(1);
    for (int seed = 0; seed < 300; seed++) {
      int count = 1 + random.nextInt(seed % 10 == 0 ? 5000 : 200);
      int lengthMax = 1 + random.nextInt(30);
      requireSorted(seed, count, random.nextInt(20), lengthMax, 1 + random.nextInt(255));
    }
  }

  @Test
  void longPrefixesThatDifferInTheirLastByteAreSorted() {
    requireSorted(1, 3000, 1000, 2, 200);
  }

  @Test
  void entriesOfOnePrefixStayInTheOrderOfTheirKeys() {
    requireSorted(1, 2000, 12, 0, 1);
  }

  @Test
  void anEntryLongerThanABlockHasABlockOfItsOwn() {
    byte[] prefix = new byte[3000];
    prefix[0] = 1;
    run.add(prefix, key(1));
    run.add(new byte[] {2}, key(2));
    assertThat(sorted(512))
        .containsExactly(HEX.formatHex(prefix) + HEX.formatHex(key(1)), "02000002");
  }

  @Test
  void aRunWithoutEntriesHasNoBlock() {
    assertThat(sorted(512)).isEmpty();
  }
}
