package io.varve.internal.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.KilledFiles;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a replay makes, sorted and by leaf, is what its commits made one after the other.
class ReplayContentTest {
  private static final int ROUNDS = 6_000;
  private static final int KEYS = 3_000;
  private static final String[] SPACES = {"one", "two", "three"};

  @TempDir Path directory;

  private final Map<String, TreeMap<byte[], byte[]>> model = new TreeMap<>();

  private static TreeMap<byte[], byte[]> emptySpace() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /// Puts of all lengths, deletes, ranges, transactions over spaces, and spaces that are dropped
  /// and made again; with memory for all, and with so little that a replay spills.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aReplayMakesWhatTheCommitsMade(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Path open = directory.resolve("open");
    Path small = directory.resolve("small");
    Path large = directory.resolve("large");
    StoreOptions options = StoreOptions.defaults().durability(Durability.PROCESS_CRASH);
    try (Store store = Store.open(open, options)) {
      boolean checkpoints = random.nextBoolean();
      for (int i = 0; i < ROUNDS; i++) {
        change(store, random);
        if (checkpoints && i == ROUNDS / 3) {
          store.checkpoint();
        }
      }
      store.awaitDurable(store.lastCommit()); // so that what is copied stays as it is
      KilledFiles.copy(open, small);
      KilledFiles.copy(open, large);
    }
    requireContent(small, options.cacheBytes(1 << 20));
    requireContent(large, options);
  }

  private void change(Store store, SplittableRandom random) {
    String name = SPACES[random.nextInt(SPACES.length)];
    TreeMap<byte[], byte[]> content = model.computeIfAbsent(name, _ -> emptySpace());
    Space space = store.space(name);
    byte[] key = key(random.nextInt(KEYS));
    switch (random.nextInt(40)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> {
        space.delete(key);
        content.remove(key);
      }
      case 8 -> {
        byte[] to = key(random.nextInt(KEYS));
        if (Arrays.compareUnsigned(key, to) < 0) {
          space.deleteRange(Range.of(key, to));
          content.subMap(key, to).clear();
        }
      }
      case 9 -> transact(store, random);
      case 10 -> {
        if (random.nextInt(20) == 0) {
          store.dropSpace(name);
          model.remove(name);
        }
      }
      default -> {
        byte[] value = value(random);
        space.put(key, value);
        content.put(key, value);
      }
    }
  }

  private void transact(Store store, SplittableRandom random) {
    try (Transaction transaction = store.begin()) {
      for (int i = random.nextInt(200); i >= 0; i--) {
        String name = SPACES[random.nextInt(SPACES.length)];
        TreeMap<byte[], byte[]> content = model.computeIfAbsent(name, _ -> emptySpace());
        byte[] key = key(random.nextInt(KEYS));
        if (random.nextInt(4) == 0) {
          transaction.delete(store.space(name), key);
          content.remove(key);
        } else {
          byte[] value = value(random);
          transaction.put(store.space(name), key, value);
          content.put(key, value);
        }
      }
      transaction.commit();
    }
  }

  private static byte[] key(int number) {
    return ("key-" + Integer.toString(number * 7919 % KEYS, 3)).getBytes(US_ASCII);
  }

  private static byte[] value(SplittableRandom random) {
    int kind = random.nextInt(100);
    byte[] value = new byte[kind == 0 ? 5_000 : kind < 30 ? random.nextInt(600) : 100];
    random.nextBytes(value);
    return value;
  }

  private void requireContent(Path copy, StoreOptions options) {
    try (Store store = Store.open(copy, options)) {
      assertThat(store.statistics().recovery().replayedCommits()).isPositive();
      assertThat(store.spaceNames()).isEqualTo(model.keySet());
      model.forEach((name, content) -> {
        var expected = content.entrySet().iterator();
        for (Entry entry : store.space(name).scan(Range.all())) {
          Map.Entry<byte[], byte[]> next = expected.next();
          assertThat(entry.key()).isEqualTo(next.getKey());
          assertThat(entry.value()).isEqualTo(next.getValue());
        }
        assertThat(expected.hasNext()).isFalse();
      });
      store.verify();
    }
  }
}
