package io.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.spi.SpaceIndex;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Arrays of keys and values that change during the calls they were given to (KEYCOPY-1).
@Timeout(60)
class ChangedArraysTest {
  private static final int KEY_BYTES = 8;
  private static final int VALUE_BYTES = 1000;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /// A key came into the leaf of another one: the store was damaged for good.
  @Test
  void aKeyThatAnotherThreadChangesDuringPutsHarmsNoOtherKey() throws Exception {
    byte[] key = new byte[KEY_BYTES];
    AtomicBoolean isOver = new AtomicBoolean();
    Thread changing = Thread.ofPlatform().start(() -> change(key, isOver));
    try (Store store = Store.inMemory()) {
      Space space = store.space("keys");
      for (int i = 0; i < 20_000; i++) {
        space.put(key, key);
      }
      assertThat(store.verify().problems()).isEmpty();
    } finally {
      isOver.set(true);
      changing.join();
    }
  }

  private static void change(byte[] array, AtomicBoolean isOver) {
    SplittableRandom random = new SplittableRandom(1);
    while (!isOver.get()) {
      array[random.nextInt(array.length)] = (byte) random.nextInt();
    }
  }

  @Test
  void aKeyThatChangesWhileItsValueIsReadIsTheOneThatWasGiven() {
    byte[] key = bytes("key");
    try (Store store = Store.inMemory()) {
      Space space = store.space("keys");
      space.put(
          key,
          new InputStream() {
            @Override
            public int read() {
              key[0] = 'x';
              return 1;
            }
          },
          100_000);
      assertThat(space.contains(bytes("key"))).isTrue();
      assertThat(space.count(Range.all())).isEqualTo(1);
    }
  }

  /// The change was lost where the same array came back; with a copy of it the call never ended.
  @ParameterizedTest
  @ValueSource(ints = {8, 5_000, 100_000})
  void aMergeMayChangeTheOldValueInPlace(int length) {
    try (Store store = Store.inMemory()) {
      Space space = store.space("counters");
      byte[] key = bytes("key");
      space.put(key, new byte[length]);
      byte[] one = {1};
      assertThat(space.merge(key, one, (old, _) -> increased(old))).startsWith(1);
      assertThat(space.get(key)).startsWith(1).hasSize(length);
      assertThat(space.merge(key, one, (old, _) -> increased(old).clone())).startsWith(2);
      assertThat(space.get(key)).startsWith(2);
      space.async().merge(key, one, (old, _) -> increased(old)).toCompletableFuture().join();
      assertThat(space.get(key)).startsWith(3);
      Commit last = store.lastCommit();
      assertThat(space.merge(key, one, (old, _) -> old)).startsWith(3);
      assertThat(store.lastCommit()).isEqualTo(last);
    }
  }

  private static byte[] increased(byte[] counter) {
    counter[0]++;
    return counter;
  }

  /// The leaf got another value than the log: what was read before a loss of power was not there
  /// after it.
  @Test
  void aValueThatAnotherThreadChangesIsTheSameAfterRecovery() throws Exception {
    byte[] value = new byte[VALUE_BYTES];
    AtomicBoolean isOver = new AtomicBoolean();
    Thread changing = Thread.ofPlatform().start(() -> change(value, isOver));
    SimulatedDisk disk = new SimulatedDisk(1);
    List<byte[]> read = new ArrayList<>();
    try (Store store = SimulatedStore.open(disk, StoreOptions.defaults())) {
      Space space = store.space("values");
      for (int i = 0; i < 200; i++) {
        byte[] key = {(byte) i};
        space.put(key, value);
        read.add(space.get(key));
      }
      disk = disk.powerCut();
    } finally {
      isOver.set(true);
      changing.join();
    }
    try (Store store = SimulatedStore.open(disk, StoreOptions.defaults())) {
      Space space = store.space("values");
      for (int i = 0; i < read.size(); i++) {
        assertThat(space.get(new byte[] {(byte) i})).isEqualTo(read.get(i));
      }
    }
  }

  /// The index was made of what the extents have, and the log had another value.
  @ParameterizedTest
  @ValueSource(ints = {8, 100_000, 3_000_000})
  void anIndexHasWhatTheSpaceHasAfterRecovery(int length) {
    byte[] key = bytes("key");
    byte[] value = new byte[length];
    AtomicReference<Runnable> change = new AtomicReference<>(() -> value[0]++);
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, StoreOptions.defaults())) {
      Space space = store.space("rows");
      store.indexed(space).keep(List.of(new Changing(change)), ProgressListener.none());
      space.put(key, value);
      change.set(() -> {});
      disk = disk.powerCut();
    }
    try (Store store = SimulatedStore.open(disk, StoreOptions.defaults())) {
      IndexedSpace indexed = store.indexed(store.space("rows"));
      indexed.keep(List.of(new Changing(change)), ProgressListener.none());
      assertThat(indexed.verify("first")).isEmpty();
      assertThat(indexed.space().get(key)).startsWith(0);
    }
  }

  /// Changes arrays of the caller while it makes index entries, as another thread may.
  private record Changing(AtomicReference<Runnable> change) implements SpaceIndex {
    @Override
    public String name() {
      return "first";
    }

    @Override
    public String id() {
      return "first/1";
    }

    @Override
    public boolean isUnique() {
      return false;
    }

    @Override
    public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
      prefixes.accept(Arrays.copyOf(value, 1));
      change.get().run();
    }

    @Override
    public int prefixBytes(byte[] indexEntry) {
      return 1;
    }
  }

  @Test
  void anIndexHasWhatTheSpaceHasThoughTheArraysChange() {
    AtomicReference<Runnable> change = new AtomicReference<>(() -> {});
    try (Store store = Store.inMemory()) {
      Space space = store.space("rows");
      IndexedSpace indexed = store.indexed(space);
      indexed.keep(List.of(new Changing(change)), ProgressListener.none());
      List<Function<byte[][], Commit>> puts =
          List.of(
              row -> space.put(row[0], row[1]),
              row -> space.put(row[0], row[1]), // of a key that is there
              row -> store.transact(transaction -> transaction.put(space, row[0], row[1])));
      for (var put : puts) {
        byte[][] row = {bytes("key"), bytes("value")};
        change.set(() -> {
          row[0][0]++;
          row[1][0]++;
        });
        Commit _ = put.apply(row);
        change.set(() -> {});
        assertThat(indexed.verify("first")).isEmpty();
        assertThat(space.get(bytes("key"))).isEqualTo(bytes("value"));
      }
      assertThat(space.count(Range.all())).isEqualTo(1);
    }
  }
}
