package io.varve.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/// Locks that two threads take in either order stop both, rarely and not in tests. So the order is
/// checked at each lock, whether another thread is there or not.
class LockOrderTest {
  private final StoreLocks locks = new StoreLocks();
  private final OrderedLock registry = new OrderedLock(locks, LockOrder.REGISTRY);
  private final OrderedLock first = new OrderedLock(locks, LockOrder.WRITE, 1);
  private final OrderedLock second = new OrderedLock(locks, LockOrder.WRITE, 2);
  private final BriefLock extents = new BriefLock(locks, LockOrder.EXTENTS);
  private final BriefLock cache = new BriefLock(locks, LockOrder.CACHE);

  /// Takes the locks in the order given, and releases those that it has.
  private static void take(Lock... locks) {
    int taken = 0;
    try {
      for (Lock lock : locks) {
        lock.lock();
        taken++;
      }
    } finally {
      while (taken > 0) {
        locks[--taken].unlock();
      }
    }
  }

  private void assertNothingIsHeld() {
    assertThat(registry.isLocked()).isFalse();
    assertThat(first.isLocked()).isFalse();
    assertThat(second.isLocked()).isFalse();
    assertThat(extents.isLocked()).isFalse();
    assertThat(cache.isLocked()).isFalse();
    take(registry);
  }

  /// A delete that tries again on a full disk kept out the commits whose end it waited for.
  @Test
  void aFairLockIsNotTakenAgainBeforeThoseThatWait() {
    OrderedLock fair = OrderedLock.fair(locks, LockOrder.FREEING_FOR_DELETES);
    List<String> holders = new ArrayList<>();
    fair.lock();
    var other =
        CompletableFuture.runAsync(() -> {
          fair.lock();
          holders.add("waited");
          fair.unlock();
        });
    while (!fair.hasQueuedThreads()) {
      Thread.onSpinWait();
    }
    fair.unlock();
    fair.lock();
    holders.add("tries again");
    fair.unlock();
    other.join();
    assertThat(holders).containsExactly("waited", "tries again");
  }

  @Test
  void locksInOrderAreTaken() {
    take(registry, first, second, extents, cache);
    take(registry, registry, first, first);
    assertNothingIsHeld();
  }

  @Test
  void earlierLockIsRefusedUnderLaterOne() {
    assertThatThrownBy(() -> take(extents, registry))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("wanted=REGISTRY")
        .hasMessageContaining("held= EXTENTS");
    assertThatThrownBy(() -> take(cache, extents)).isInstanceOf(AssertionError.class);
    assertNothingIsHeld();
  }

  @Test
  void lockOfLowerRankIsRefusedUnderHigherOne() {
    assertThatThrownBy(() -> take(second, first))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rank=1");
    assertNothingIsHeld();
  }

  /// To try a lock waits for no thread, but what is waited for while it is held counts.
  @Test
  void lockMayBeTriedInAnyOrder() {
    extents.lock();
    try {
      assertThat(first.tryLock()).isTrue();
      try {
        take(cache);
        assertThatThrownBy(() -> take(second)).isInstanceOf(AssertionError.class);
      } finally {
        first.unlock();
      }
    } finally {
      extents.unlock();
    }
    assertNothingIsHeld();
  }

  /// A virtual thread and its carrier, and two that share a carrier, hold nothing of each other.
  @Test
  void eachThreadHasItsOwnRecord() throws InterruptedException {
    cache.lock();
    try {
      var other = new CompletableFuture<Void>();
      Thread thread =
          Thread.startVirtualThread(() -> {
            try {
              take(registry, extents);
              other.complete(null);
            } catch (AssertionError e) {
              other.completeExceptionally(e);
            }
          });
      thread.join();
      assertThatCode(other::join).doesNotThrowAnyException();
    } finally {
      cache.unlock();
    }
    assertNothingIsHeld();
  }

  @Test
  void releaseOfWhatIsNotHeldIsRefused() {
    assertThatThrownBy(() -> locks.exit(LockOrder.GATE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("GATE");
    assertThatThrownBy(cache::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertNothingIsHeld();
  }

  /// (ORDER-3) What is called with the locks of one store held may use another.
  @Test
  void storesHaveAnOrderEach() {
    var other = new StoreLocks();
    extents.lock();
    try {
      take(
          new OrderedLock(other, LockOrder.REGISTRY),
          new BriefLock(other, LockOrder.EXTENTS),
          cache);
      assertThatThrownBy(() -> take(new OrderedLock(other, LockOrder.CLOSING), registry))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("wanted=REGISTRY");
    } finally {
      extents.unlock();
    }
    assertNothingIsHeld();
  }
}
