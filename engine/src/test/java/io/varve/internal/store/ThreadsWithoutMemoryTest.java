package io.varve.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.StoreThreads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thread of the store that finds no memory fails the store, with that as the cause: a store that
/// looks sound without it would keep commits waiting forever. The checkpoint thread tries again if
/// it had begun nothing.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadsWithoutMemoryTest {
  private static final byte[] KEY = {1};

  /// A clock on which one call finds no memory, made by a thread within a method.
  private static final class ScarceClock implements Clock {
    private final String thread;
    private final String method;
    private final AtomicBoolean scarce = new AtomicBoolean();

    ScarceClock(String thread, String method) {
      this.thread = thread;
      this.method = method;
    }

    @Override
    public long nanoTime() {
      if (scarce.get()
          && Thread.currentThread().getName().startsWith(thread)
          && isWithinMethod()
          && scarce.compareAndSet(true, false)) {
        throw new OutOfMemoryError("planted");
      }
      return Clock.SYSTEM.nanoTime();
    }

    private boolean isWithinMethod() {
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)));
    }

    @Override
    public long currentTimeMillis() {
      return Clock.SYSTEM.currentTimeMillis();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      Clock.SYSTEM.parkNanos(blocker, nanos);
    }
  }

  @Test
  void aThreadOfTheLogFailsTheStoreByName() {
    var clock = new ScarceClock("varve-log-", "rest");
    requireFails(new HookedDisk(), clock, clock.scarce);
  }

  @Test
  void aCheckpointThatHasBegunFailsTheStoreByName() {
    var scarce = new AtomicBoolean();
    var disk = new HookedDisk();
    disk.hook((call, _, _) -> {
      if (call == HookedDisk.Call.FORCE
          && Thread.currentThread().getName().startsWith("varve-checkpoint")
          && scarce.compareAndSet(true, false)) {
        throw new OutOfMemoryError("planted");
      }
    });
    requireFails(disk, Clock.SYSTEM, scarce);
  }

  private static void requireFails(Disk disk, Clock clock, AtomicBoolean scarce) {
    StoreOptions options =
        StoreOptions.defaults().cacheBytes(1 << 20).checkpointInterval(Duration.ofMillis(10));
    try (Store store = StoreOpener.open(disk, clock, StoreThreads.PLATFORM, options)) {
      Space space = store.space("s");
      space.put(KEY, KEY);
      scarce.set(true);
      assertThatExceptionOfType(StoreFailedException.class)
          .isThrownBy(() -> putUntilRefused(space))
          .withMessageContaining("OutOfMemoryError: planted")
          .withMessageContaining("reopen");
    }
    try (Store again = StoreOpener.open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, options)) {
      assertThat(again.space("s").get(KEY)).isEqualTo(KEY);
      again.verify().requireSound();
    }
  }

  @Test
  void theCheckpointThreadContinuesIfItHasBegunNothing() {
    var clock = new ScarceClock("varve-checkpoint", "isDue");
    StoreOptions options = StoreOptions.defaults().checkpointInterval(Duration.ofMillis(10));
    try (Store store = StoreOpener.open(new HookedDisk(), clock, StoreThreads.PLATFORM, options)) {
      Space space = store.space("s").with(Durability.BACKGROUND);
      clock.scarce.set(true);
      while (clock.scarce.get()) {
        space.put(KEY, KEY);
      }
      long before = store.statistics().checkpoints().count();
      while (store.statistics().checkpoints().count() == before) {
        space.put(KEY, KEY);
      }
      store.verify().requireSound();
    }
  }

  /// By stages, which the threads of the log complete.
  private static void putUntilRefused(Space space) {
    while (true) {
      var done = space.with(Durability.POWER_LOSS).async().put(KEY, KEY).toCompletableFuture();
      while (!done.isDone()) {
        space.with(Durability.BACKGROUND).put(KEY, KEY); // refused by a store that has failed
      }
    }
  }
}
