package io.varve.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.item.Item;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A commit that breaks off where nothing should: all threads that wait for it are notified, and
/// the item space does not continue as if nothing had happened.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenCommitTest {
  private static final int COMMITTERS = 4;

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private Store open() {
    return SimulatedStore.open(disk, StoreOptions.defaults());
  }

  /// Guards against followers that wait for a generation which no thread ends.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allThatWaitForACommitLearnThatItBrokeOff(boolean waits) throws Exception {
    Item committed = Item.of("committed");
    try (Store store = open()) {
      LayeredSpace items = (LayeredSpace) store.items("items");
      items.insert(committed);
      items.commit();
      breakChanges(items.levels());
      Queue<Throwable> reported = commitTogether(items, waits);
      assertThat(reported)
          .hasSize(COMMITTERS)
          .allMatch(each -> each instanceof NullPointerException);
      assertRefused(() -> items.insert(Item.of("later")));
      assertRefused(items::commit);
      assertRefused(items::rollback);
    }
    try (Store store = open()) {
      assertThat(store.items("items").scan()).containsExactly(committed);
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  private static void assertRefused(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("space=items")
        .hasMessageContaining("open it again")
        .hasCauseInstanceOf(NullPointerException.class);
  }

  /// Puts in place of the open changes what no commit can apply, nor put back.
  private static void breakChanges(Levels levels) {
    assertThatThrownBy(() -> levels.change(_ -> null)).isInstanceOf(NullPointerException.class);
  }

  /// Lets several threads commit, all of which have asked for it before the first can begin.
  ///
  /// @return what they threw
  private static Queue<Throwable> commitTogether(LayeredSpace items, boolean waits)
      throws InterruptedException {
    Queue<Throwable> reported = new ConcurrentLinkedQueue<>();
    List<Thread> committers = new ArrayList<>();
    items
        .levels()
        .whileStill(() -> {
          for (int i = 0; i < COMMITTERS; i++) {
            Runnable commit =
                () -> items.commit(waits ? Durability.POWER_LOSS : Durability.BACKGROUND);
            committers.add(
                Thread.ofPlatform()
                    .uncaughtExceptionHandler((_, e) -> reported.add(e))
                    .start(commit));
          }
          for (Thread committer : committers) {
            while (committer.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
          }
          return null;
        });
    for (Thread committer : committers) {
      committer.join();
    }
    return reported;
  }
}
