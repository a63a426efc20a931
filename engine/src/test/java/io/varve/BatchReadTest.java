package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Reads of many keys together, by all that have one, against reads of one key.
@Timeout(120)
class BatchReadTest {
  private static final int KEYS = 4_000;
  private static final int LARGE_EVERY = 401;
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().pageBytes(4096).cacheBytes(1 << 20);

  @TempDir Path directory;

  /// Keys of any number, spread evenly.
  private static byte[] key(int number) {
    return ByteBuffer.allocate(12).putInt(number * 0x9E3779B1).putLong(number).array();
  }

  /// A value that names its key, and shows whether it is whole.
  private static byte[] value(byte[] key, int round, int bytes) {
    ByteBuffer value = ByteBuffer.allocate(bytes).put(key).putInt(round);
    while (value.remaining() >= 2 * Integer.BYTES) {
      value.putInt(round);
    }
    CRC32C crc = new CRC32C();
    crc.update(value.array(), 0, bytes - Integer.BYTES);
    return value.putInt(bytes - Integer.BYTES, (int) crc.getValue()).array();
  }

  private static int round(byte[] key, byte[] value) {
    assertThat(value).startsWith(key);
    int round = ByteBuffer.wrap(value).getInt(key.length);
    assertThat(value).isEqualTo(value(key, round, value.length));
    return round;
  }

  private static int bytes(int number) {
    return number % LARGE_EVERY == 0 ? 5_000 : 40 + number % 150;
  }

  private static void put(Space space, int number, int round) {
    space.put(key(number), value(key(number), round, bytes(number)));
  }

  /// The even numbers, in an order that splits leaves everywhere.
  private static Space filled(Store store) {
    Space space = store.space("s").with(Durability.BACKGROUND);
    for (int number = 0; number < KEYS; number += 2) {
      put(space, number, 0);
    }
    return space;
  }

  private static List<byte[]> keys(SplittableRandom random, int count) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key(random.nextInt(KEYS)));
    }
    return keys;
  }

  @Test
  void readsWhatSingleReadsDo() {
    try (Store store = Store.open(directory, OPTIONS)) {
      Space space = filled(store);
      SplittableRandom random = new SplittableRandom(1);
      try (Snapshot snapshot = store.snapshot()) {
        store.checkpoint();
        for (int number = 1; number < KEYS; number += 6) {
          put(space, number, 1);
          space.delete(key(number + 1));
        }
        for (int count : new int[] {0, 1, 2, 31, 32, 33, 64, 100, 700}) {
          List<byte[]> keys = keys(random, count);
          assertThat(space.getAll(keys)).containsExactlyElementsOf(mapped(keys, space::get));
          assertThat(snapshot.getAll(space, keys))
              .containsExactlyElementsOf(mapped(keys, key -> snapshot.get(space, key)));
          store.transact(tx -> {
            tx.put(space, key(0), new byte[3]);
            tx.delete(space, key(2));
            List<byte[]> own = new ArrayList<>(keys);
            own.addAll(List.of(key(2), key(0), key(4)));
            assertThat(tx.getAll(space, own))
                .containsExactlyElementsOf(mapped(own, key -> tx.get(space, key)));
          });
        }
      }
      store.verify();
    }
  }

  private interface Read {
    byte[] of(byte[] key);
  }

  private static List<byte[]> mapped(List<byte[]> keys, Read read) {
    List<byte[]> values = new ArrayList<>();
    keys.forEach(key -> values.add(read.of(key)));
    return values;
  }

  @Test
  void aKeyThatIsTooLongIsRefused() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      List<byte[]> keys = List.of(key(1), new byte[Space.KEY_BYTES_MAX + 1]);
      assertThatThrownBy(() -> space.getAll(keys)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /// Guards against a batch that a transaction does not check: each key counts as read.
  @Test
  void aTransactionChecksEachKeyOfABatch() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      for (int changed = 0; changed < 3; changed++) {
        Transaction tx = store.begin();
        tx.put(space, key(1), new byte[1]);
        tx.getAll(space, List.of(key(10), key(1), key(11), key(12)));
        space.put(key(10 + changed), new byte[changed]);
        assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      }
    }
  }

  /// Guards against torn and mixed-up answers: a writer changes, inserts and deletes, so that
  /// leaves change, split and merge, and pages leave the small cache and come back all the time.
  @Test
  void answersAreWholeWhileLeavesChange() throws Exception {
    try (Store store = Store.open(directory, OPTIONS)) {
      Space space = filled(store);
      try (Snapshot snapshot = store.snapshot()) {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> reader =
            CompletableFuture.runAsync(() -> readUntil(done, space, snapshot));
        try {
          change(store, space);
        } finally {
          done.set(true);
        }
        reader.get();
      }
      store.verify();
    }
  }

  private static void change(Store store, Space space) {
    for (int round = 1; round <= 4; round++) {
      for (int number = 0; number < KEYS; number++) {
        int own = number;
        int now = round;
        if (number % 2 == 0 && number % 64 != 0) {
          put(space, number, round);
        } else if (number % 2 == 0) {
          store.transact(
              Durability.BACKGROUND,
              tx -> {
                for (int i = own; i < own + 6; i += 2) {
                  tx.put(space, key(i), value(key(i), now, bytes(i)));
                }
              });
        } else if (round % 2 == 1) {
          put(space, number, round);
        } else {
          space.delete(key(number));
        }
      }
      store.checkpoint();
    }
  }

  private static void readUntil(AtomicBoolean done, Space space, Snapshot snapshot) {
    SplittableRandom random = new SplittableRandom(2);
    int[] newest = new int[KEYS];
    for (int batches = 0; batches < 50 || !done.get(); batches++) {
      List<byte[]> keys = keys(random, 1 + random.nextInt(80));
      List<byte[]> values = space.getAll(keys);
      int[] before = newest.clone(); // A key may be in the batch twice, and its reads in any order.
      for (int i = 0; i < keys.size(); i++) {
        int number = (int) ByteBuffer.wrap(keys.get(i)).getLong(4);
        byte[] value = values.get(i);
        if (value == null) {
          assertThat(number % 2).as("an entry that is never deleted").isOne();
        } else {
          int round = round(keys.get(i), value);
          assertThat(value).hasSize(bytes(number));
          assertThat(round).as("no older value than before").isGreaterThanOrEqualTo(before[number]);
          newest[number] = Math.max(newest[number], round);
        }
      }
      requireFirstRound(keys, snapshot.getAll(space, keys));
    }
  }

  private static void requireFirstRound(List<byte[]> keys, List<byte[]> values) {
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      boolean wasThere = ByteBuffer.wrap(key).getLong(4) % 2 == 0;
      byte[] value = values.get(i);
      assertThat(value != null).isEqualTo(wasThere);
      assertThat(value == null || Arrays.equals(value, value(key, 0, value.length))).isTrue();
    }
  }
}
