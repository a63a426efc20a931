package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.spi.NonBlockingSpace;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls that try read and change what they can without waiting, and nothing otherwise.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WithoutWaitingTest {
  private static final long SEED = 11;
  private static final byte[] KEY = Bytes.of("k");
  private static final byte[] ABSENT = Bytes.of("absent");
  private static final byte[] VALUE = Bytes.of("v");
  private static final StoreOptions OPTIONS = Stores.tiny().durability(Durability.PROCESS_CRASH);

  private final SimulatedDisk disk = new SimulatedDisk(SEED);

  private static List<byte[]> tryGet(Space space, byte[] key) {
    List<byte[]> found = new ArrayList<>();
    assertThat(NonBlockingSpace.of(space).tryGet(key, found::add)).isEqualTo(!found.isEmpty());
    return found;
  }

  @Test
  void whatIsInMemoryIsReadAndChanged() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      Space space = store.space("s");
      Commit before = store.lastCommit();
      CompletionStage<Commit> put = NonBlockingSpace.of(space).tryPut(KEY, VALUE);
      assertThat(put).isCompletedWithValue(store.lastCommit());
      assertThat(store.lastCommit()).isGreaterThan(before);
      assertThat(tryGet(space, KEY)).containsExactly(VALUE);
      assertThat(tryGet(space, ABSENT)).hasSize(1).containsNull();
      assertThat(NonBlockingSpace.of(space).tryDelete(KEY))
          .isCompletedWithValue(store.lastCommit());
      assertThat(tryGet(space, KEY)).hasSize(1).containsNull();
      store.verify().requireSound();
    }
    assertThat(Model.of(SimulatedStore.open(disk, OPTIONS)).get("s", KEY)).isNull();
  }

  @Test
  void spacesOfOthersAreRefused() {
    Space other =
        (Space)
            Proxy.newProxyInstance(
                Space.class.getClassLoader(), new Class<?>[] {Space.class}, (_, _, _) -> "other");
    assertThatThrownBy(() -> NonBlockingSpace.of(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("space=other");
  }

  @Test
  void aCommitThatIsForcedCompletesLater() {
    try (Store store = SimulatedStore.open(disk, OPTIONS.durability(Durability.POWER_LOSS))) {
      Space space = store.space("s");
      CompletionStage<Commit> put = NonBlockingSpace.of(space).tryPut(KEY, VALUE);
      assertThat(put).isNotNull();
      Commit commit = put.toCompletableFuture().join();
      assertThat(commit).isEqualTo(store.lastCommit());
      SimulatedDisk cut = disk.copy().powerCut();
      try (Store after = SimulatedStore.open(cut, OPTIONS)) {
        assertThat(after.space("s").get(KEY)).isEqualTo(VALUE);
      }
    }
  }

  @Test
  void aPageThatIsNotInMemoryIsWaitedForByOthers() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      store.space("s").put(KEY, VALUE);
    }
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      Space space = store.space("s");
      Commit before = store.lastCommit();
      assertThat(tryGet(space, KEY)).isEmpty();
      assertThat(NonBlockingSpace.of(space).tryPut(KEY, VALUE)).isNull();
      assertThat(NonBlockingSpace.of(space).tryDelete(KEY)).isNull();
      assertThat(store.lastCommit()).isEqualTo(before);
      assertThat(space.get(KEY)).isEqualTo(VALUE);
      assertThat(tryGet(space, KEY)).containsExactly(VALUE);
      space.put(ABSENT, VALUE); // the first commit looks how much capacity the disk has
      assertThat(NonBlockingSpace.of(space).tryDelete(KEY)).isNotNull();
    }
  }

  @Test
  void aLargeValueIsWaitedForByOthers() {
    byte[] large = new byte[OPTIONS.pageBytes() / 4 + 1];
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      Space space = store.space("s");
      assertThat(NonBlockingSpace.of(space).tryPut(KEY, large)).isNull();
      assertThat(space.get(KEY)).isNull();
      space.put(KEY, large);
      assertThat(tryGet(space, KEY)).isEmpty();
      assertThat(NonBlockingSpace.of(space).tryPut(KEY, VALUE)).isNotNull();
      assertThat(space.get(KEY)).isEqualTo(VALUE);
      store.checkpoint();
      store.verify().requireSound();
    }
  }

  /// A transaction whose reads change each time runs alone at last, with the locks of all spaces.
  @Test
  void anotherWriterIsNotWaitedFor() throws Exception {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      Space space = store.space("s");
      SynchronousQueue<Boolean> attempts = new SynchronousQueue<>();
      SynchronousQueue<Boolean> proceed = new SynchronousQueue<>();
      Thread writer =
          Thread.ofPlatform()
              .start(() ->
                  store.transact(transaction -> {
                    boolean isNew = transaction.get(space, ABSENT) == null;
                    transaction.put(space, KEY, isNew ? VALUE : KEY);
                    hand(attempts);
                    take(proceed);
                  }));
      long value = 0;
      take(attempts);
      while (NonBlockingSpace.of(space).tryPut(ABSENT, Bytes.of(++value)) != null) {
        hand(proceed);
        take(attempts);
      }
      assertThat(value).isGreaterThan(1);
      assertThat(NonBlockingSpace.of(space).tryDelete(ABSENT)).isNull();
      assertThat(tryGet(space, ABSENT)).containsExactly(Bytes.of(value - 1)); // takes no lock
      hand(proceed);
      writer.join();
      assertThat(space.get(KEY)).isEqualTo(KEY);
      assertThat(NonBlockingSpace.of(space).tryPut(ABSENT, VALUE)).isNotNull();
    }
  }

  private static void hand(SynchronousQueue<Boolean> queue) {
    try {
      queue.put(true);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void take(SynchronousQueue<Boolean> queue) {
    try {
      queue.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Dirty pages beyond what writers are slowed at: then commits wait for a checkpoint, by threads
  /// that may.
  @Test
  void commitsThatAreSlowedAreLeftToOthers() {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      Space space = store.space("s");
      int tried = 0;
      int left = 0;
      try (Snapshot held = store.snapshot()) {
        for (int i = 0; i < 20_000; i++) {
          byte[] value = new byte[200];
          if (NonBlockingSpace.of(space).tryPut(Bytes.of(i), value) != null) {
            tried++;
          } else {
            space.put(Bytes.of(i), value);
            left++;
          }
        }
        assertThat(held.count(space, Range.all())).isZero();
      }
      assertThat(tried).isPositive();
      assertThat(left).isPositive();
      assertThat(space.count(Range.all())).isEqualTo(20_000);
      store.verify().requireSound();
    }
  }
}
