package io.varve.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReplaySortTest {
  private static final byte[] BYTES = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff};

  /// Keys of few different bytes and lengths: many share a prefix, or their first eight bytes, or
  /// differ in zeros at their ends alone, or are equal.
  private static byte[] randomKey(SplittableRandom random, byte[] prefix) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + random.nextInt(14));
    for (int i = prefix.length; i < key.length; i++) {
      key[i] = random.nextInt(3) == 0 ? BYTES[random.nextInt(BYTES.length)] : 0;
    }
    return key;
  }

  /// Guards against an order that is not that of unsigned bytes, and an older record that wins.
  @Test
  void theNewestRecordOfEachKeyIsKeptInKeyOrder() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 300; round++) {
      byte[] prefix = new byte[random.nextInt(12)];
      random.nextBytes(prefix);
      int size = 1 + random.nextInt(round % 2 == 0 ? 20 : 400);
      ReplayRecords records = new ReplayRecords();
      int[] positions = new int[size + random.nextInt(20)];
      TreeMap<byte[], Integer> newest = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < size; i++) {
        byte[] key = randomKey(random, prefix);
        positions[i] = records.add(key, random.nextBoolean() ? new byte[i % 5] : null);
        newest.put(key, positions[i]);
      }
      ReplaySort sorted = ReplaySort.of(records, positions, size);
      assertThat(Arrays.copyOf(sorted.positions(), sorted.size()))
          .containsExactly(newest.values().stream().mapToInt(i -> i).toArray());
    }
  }

  @Test
  void recordsThatCameInOrderAreNoticed() {
    ReplayRecords records = new ReplayRecords();
    int[] ascending = IntStream.range(0, 200).map(i -> records.add(key(i), key(i))).toArray();
    int[] others = IntStream.range(0, 200).map(i -> records.add(key(i ^ 1), key(i))).toArray();
    assertThat(ReplaySort.of(records, ascending, 200).wereAscending()).isTrue();
    assertThat(ReplaySort.of(records, others, 200).wereAscending()).isFalse();
  }

  private static byte[] key(int i) {
    return new byte[] {7, (byte) (i >>> 8), (byte) i};
  }

  /// Guards against records that reach into a second array, and memory that is used again too soon.
  @Test
  void recordsAreReadBackAsTheyWereAdded() {
    SplittableRandom random = new SplittableRandom(12);
    ReplayRecords records = new ReplayRecords();
    for (int round = 0; round < 3; round++) {
      records.clear();
      byte[][] keys = new byte[300][];
      byte[][] values = new byte[keys.length][];
      int[] positions = new int[keys.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = new byte[random.nextInt(4096)];
        values[i] = new byte[random.nextInt(16 << 10)];
        random.nextBytes(keys[i]);
        random.nextBytes(values[i]);
        positions[i] = records.add(keys[i], values[i]);
      }
      for (int i = 0; i < keys.length; i++) {
        assertThat(records.key(positions[i], null)).isEqualTo(keys[i]);
        assertThat(records.value(positions[i], null)).isEqualTo(values[i]);
      }
    }
  }

  /// Guards against garbage as long as the log, and an array that is used for another length.
  @Test
  void anArrayIsUsedAgainForAsManyBytes() {
    ReplayRecords records = new ReplayRecords();
    int put = records.add(new byte[] {1, 2}, new byte[] {3, 4, 5});
    int deleted = records.add(new byte[] {6}, null);
    byte[] two = new byte[2];
    byte[] three = new byte[3];
    assertThat(records.key(put, two)).isSameAs(two).containsExactly(1, 2);
    assertThat(records.value(put, three)).isSameAs(three).containsExactly(3, 4, 5);
    assertThat(records.key(put, three)).containsExactly(1, 2);
    assertThat(records.value(put, two)).containsExactly(3, 4, 5);
    assertThat(records.key(deleted, two)).containsExactly(6);
    assertThat(records.value(deleted, three)).isNull();
    assertThat(three).containsExactly(3, 4, 5);
  }

  /// Guards against garbage as long as the log: the arrays of the changes before are used again.
  @Test
  void changesAreReadIntoTheArraysOfThoseBefore() {
    ReplayRecords records = new ReplayRecords();
    int[] positions = IntStream.range(0, 1_000).map(i -> records.add(key(i), key(i))).toArray();
    var changes = new ReplayChanges(records, ReplaySort.of(records, positions, 1_000));
    assertThat(changes.next()).isTrue();
    byte[] key = changes.key(0);
    byte[] value = changes.value(0);
    int first = changes.size();
    assertThat(changes.next()).isTrue();
    assertThat(changes.key(0)).isSameAs(key).isEqualTo(key(first));
    assertThat(changes.value(0)).isSameAs(value).isEqualTo(key(first));
  }
}
