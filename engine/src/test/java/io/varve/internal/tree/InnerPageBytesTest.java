package io.varve.internal.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.FileNotFoundException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// How long inner pages get where separators are as long as keys may be, and are close together
/// among short ones.
class InnerPageBytesTest {
  private static final int MAGIC = 0x70565256;
  private static final int INNER = 2;

  /// Separators, and for each child a reference and the length of a separator.
  private static final int BODY_BYTES_MAX =
      2 + InnerLimits.SEPARATOR_BYTES_MAX + InnerLimits.CHILDREN_MAX * (20 + 2);

  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().pageBytes(1024).cacheBytes(64 << 20);

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);

  /// A key of which one leaf holds few.
  private static byte[] shortKey(int number) {
    return "key%08d".formatted(number).getBytes(ISO_8859_1);
  }

  /// A key that differs from its neighbours in its last bytes alone.
  private static byte[] longKey(String start, int number) {
    byte[] key = new byte[Space.KEY_BYTES_MAX];
    Arrays.fill(key, (byte) 'x');
    byte[] first = start.getBytes(ISO_8859_1);
    System.arraycopy(first, 0, key, 0, first.length);
    byte[] last = "%06d".formatted(number).getBytes(ISO_8859_1);
    System.arraycopy(last, 0, key, key.length - last.length, last.length);
    return key;
  }

  private static List<byte[]> shortKeys(int from, int to) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = from; i < to; i++) {
      keys.add(shortKey(i));
    }
    return keys;
  }

  private static List<byte[]> longKeys(String start, int count) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(longKey(start, i));
    }
    return keys;
  }

  @Test
  void aBulkOfShortAndLongSeparators() throws Exception {
    List<byte[]> keys = shortKeys(0, 10_000);
    keys.addAll(longKeys("key00003000", 60));
    keys.addAll(longKeys("key00009999", 60));
    require(space -> putAll(space, keys));
  }

  @Test
  void longSeparatorsBetweenShortOnes() throws Exception {
    require(space -> {
      putAll(space, shortKeys(0, 10_000));
      putAll(space, longKeys("key00003000", 60));
      putAll(space, longKeys("key00007000", 200));
    });
  }

  @Test
  void longSeparatorsOneByOne() throws Exception {
    List<byte[]> keys = shortKeys(0, 2_000);
    keys.addAll(longKeys("key00000300", 200));
    Collections.shuffle(keys, new Random(1));
    require(space ->
        keys.forEach(key -> {
          space.with(Durability.BACKGROUND).put(key, value());
          model.put(key, value());
        }));
  }

  @Test
  void longSeparatorsAloneAndDeletesAmongThem() throws Exception {
    require(space -> {
      List<byte[]> keys = longKeys("key", 2_000);
      putAll(space, keys);
      for (int i = 0; i < keys.size(); i++) {
        if (i % 5 != 0) {
          space.with(Durability.BACKGROUND).delete(keys.get(i));
          model.remove(keys.get(i));
        }
      }
    });
  }

  private interface Filling {
    void fill(Space space);
  }

  private static byte[] value() {
    return new byte[100];
  }

  /// Puts keys in one commit.
  private void putAll(Space space, List<byte[]> keys) {
    space
        .store()
        .transact(transaction -> keys.forEach(key -> transaction.put(space, key, value())));
    keys.forEach(key -> model.put(key, value()));
  }

  private void require(Filling filling) throws FileNotFoundException {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      filling.fill(store.space("s"));
    }
    assertThat(innerBodyBytes()).isNotEmpty().allMatch(bytes -> bytes <= BODY_BYTES_MAX);
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      assertThat(store.verify().isSound()).isTrue();
      var expected = model.entrySet().iterator();
      for (Entry entry : store.space("s").scan(Range.all())) {
        assertThat(entry.key()).isEqualTo(expected.next().getKey());
      }
      assertThat(expected).isExhausted();
    }
  }

  /// The lengths of the bodies of all inner pages in the page file.
  private List<Integer> innerBodyBytes() throws FileNotFoundException {
    ByteBuffer file = ByteBuffer.wrap(disk.content("pages")).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> lengths = new ArrayList<>();
    for (int at = 0; at + 32 <= file.limit(); at += 512) {
      if (file.getInt(at) == MAGIC && file.get(at + 8) == INNER) {
        lengths.add(file.getInt(at + 16));
      }
    }
    return lengths;
  }
}
