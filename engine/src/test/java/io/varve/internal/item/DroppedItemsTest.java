package io.varve.internal.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.UnmergedItems;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Items that are dropped take their layers with them, and no layers of those that come after.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DroppedItemsTest {
  private static final StoreOptions OPTIONS = UnmergedItems.OPTIONS;
  private static final String NAME = "items";

  private static final int CALLS_MAX = 20;
  private static final int ATTEMPTS_MAX = 100 * CALLS_MAX;
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().start(task);

  /// More than memory is to hold, so that they go to a layer.
  private static final int ITEMS = 600;

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The drop took away the layers of the items that were opened while it waited for a commit.
  @Test
  void aDropLeavesTheLayersOfItemsThatAreMadeAgain() throws Exception {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), OPTIONS)) {
      LayeredSpace old = (LayeredSpace) store.items(NAME);
      CountDownLatch isHeld = new CountDownLatch(1);
      CountDownLatch mayEnd = new CountDownLatch(1);
      var commitUnderWay =
          CompletableFuture.runAsync(
              () ->
                  old.levels()
                      .whileStill(() -> {
                        isHeld.countDown();
                        awaitLatch(mayEnd);
                        return true;
                      }),
              OWN_THREADS);
      isHeld.await();
      var drop = CompletableFuture.supplyAsync(() -> store.dropSpace(NAME), OWN_THREADS);
      CountDownLatch isFilled = new CountDownLatch(1);
      var again =
          CompletableFuture.supplyAsync(
              () -> {
                ItemSpace items = store.items(NAME);
                while (items == old) {
                  items = store.items(NAME);
                }
                for (int i = 0; i < ITEMS; i++) {
                  items.insert(Item.of("new", "0123456789".repeat(20), i));
                }
                isFilled.countDown();
                drop.join();
                items.commit();
                return items.count();
              },
              OWN_THREADS);
      isFilled.await(1, TimeUnit.SECONDS);
      mayEnd.countDown();
      commitUnderWay.join();
      assertThat(drop.join()).isTrue();
      assertThat(again.join()).isEqualTo(ITEMS);
      assertThat(store.items(NAME).count()).isEqualTo(ITEMS);
    }
  }

  /// The codec of a map waited between the look for its space and its making. A drop came between,
  /// whose second step, the drop of the layers, then found that there was a space again.
  @Test
  void aMapThatIsOpenedDuringADropHasNoLayersOfTheItemsBefore() throws Exception {
    try (Store store = SimulatedStore.open(new SimulatedDisk(2), OPTIONS)) {
      fill(store.items(NAME));
      PausedCodec codec = new PausedCodec();
      codec.pauses = true;
      CountDownLatch mayEnd = new CountDownLatch(1);
      Thread holder = holdItems(store, mayEnd);
      Thread map = started(() -> store.map(NAME, codec, Codec.bytes()));
      codec.isPaused.await();
      Thread drop = started(() -> store.dropSpace(NAME));
      awaitCall(drop, ItemSpaces.class, "dropped");
      codec.mayContinue.countDown();
      awaitCall(map, ItemSpaces.class, "make");
      mayEnd.countDown();
      joinAll(holder, map, drop);
      assertThat(store.items(NAME).count()).isZero();
      assertThat(store.spaceNames()).containsExactly(NAME);
    }
  }

  /// As before, but there was no space when the map was looked for first.
  @Test
  void aMapThatIsMadeDuringADropHasNoLayersOfTheItemsBefore() throws Exception {
    try (Store store = SimulatedStore.open(new SimulatedDisk(3), OPTIONS)) {
      PausedCodec codec = new PausedCodec();
      CountDownLatch mayEnd = new CountDownLatch(1);
      Thread holder = holdItems(store, mayEnd);
      Thread items = started(() -> fill(store.items(NAME)));
      awaitCall(items, ItemSpaces.class, "open");
      Thread map = started(() -> store.map(NAME, codec, Codec.bytes()));
      awaitCall(map, ItemSpaces.class, "make");
      codec.pauses = true;
      mayEnd.countDown();
      joinAll(holder, items);
      codec.isPaused.await();
      Thread drop = started(() -> store.dropSpace(NAME));
      awaitCall(drop, ItemSpaces.class, "dropped");
      codec.mayContinue.countDown();
      joinAll(map, drop);
      assertThat(store.items(NAME).count()).isZero();
      assertThat(store.spaceNames()).containsExactly(NAME);
    }
  }

  /// Items that are not committed, in memory and in a layer.
  private static void fill(ItemSpace items) {
    for (int i = 0; i < ITEMS; i++) {
      items.insert(Item.of("old", "0123456789".repeat(20), i));
    }
  }

  /// Has the lock of all item spaces held, by a drop of others that waits for a commit.
  ///
  /// @return the thread that holds it
  private static Thread holdItems(Store store, CountDownLatch mayEnd) throws Exception {
    LayeredSpace others = (LayeredSpace) store.items("others");
    CountDownLatch isHeld = new CountDownLatch(1);
    started(() ->
        others
            .levels()
            .whileStill(() -> {
              isHeld.countDown();
              awaitLatch(mayEnd);
              return true;
            }));
    isHeld.await();
    Thread holder = started(() -> store.dropSpace("others"));
    awaitCall(holder, Levels.class, "dropped");
    return holder;
  }

  private static Thread started(Runnable work) {
    return Thread.ofPlatform().start(work);
  }

  /// Waits until a thread is in a call and waits there, or has ended.
  private static void awaitCall(Thread thread, Class<?> type, String method) {
    while (thread.isAlive() && !isWaitingIn(thread, type.getName(), method)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isWaitingIn(Thread thread, String type, String method) {
    return thread.getState() == Thread.State.WAITING
        && Stream.of(thread.getStackTrace())
            .anyMatch(
                frame -> frame.getClassName().equals(type) && frame.getMethodName().equals(method));
  }

  private static void joinAll(Thread... threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /// A codec of bytes whose id is waited for.
  private static final class PausedCodec implements Codec<byte[]> {
    final CountDownLatch isPaused = new CountDownLatch(1);
    final CountDownLatch mayContinue = new CountDownLatch(1);
    volatile boolean pauses;

    @Override
    public byte[] encode(byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes;
    }

    @Override
    public String id() {
      if (pauses) {
        isPaused.countDown();
        awaitLatch(mayContinue);
      }
      return "paused";
    }
  }

  /// Power was lost between the drop of a main space and those of its layers. The items came back
  /// when a space of that name was made before the items were opened.
  @Test
  void aSpaceThatIsMadeAgainHasNoLayersOfTheOneBefore() {
    SimulatedDisk unmerged = UnmergedItems.disk(3000);
    int hits = 0;
    // Threads of the store decide which call comes where, so that each is tried many times.
    for (int attempt = 0; attempt < ATTEMPTS_MAX && hits == 0; attempt++) {
      SimulatedDisk disk = unmerged.copy();
      try (Store store = SimulatedStore.open(disk, OPTIONS)) {
        disk.cutPowerAtCall(disk.mutatingCalls() + 1 + attempt % CALLS_MAX);
        store.dropSpace(NAME);
        disk.turnOff();
      } catch (VarveException e) {
        // the power was cut
      }
      SimulatedDisk after = disk.powerCut();
      try (Store store = SimulatedStore.open(after, OPTIONS)) {
        if (store.findSpace(NAME) == null && !store.spaceNames().isEmpty()) {
          hits++;
          store.space(NAME).put(Item.of("new").toBytes(), new byte[0]);
          assertThat(store.items(NAME).scan()).containsExactly(Item.of("new"));
          assertThat(store.spaceNames()).containsExactly(NAME);
        }
      }
    }
    assertThat(hits).as("cuts after the drop of the main space").isPositive();
  }
}
