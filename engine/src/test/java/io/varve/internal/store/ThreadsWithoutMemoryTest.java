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
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.StoreThreads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
  void aThreadOfTheLogFailsTheStoreByName(@TempDir Path directory) {
    var clock = new ScarceClock("varve-log-", "rest");
    requireFails(directory, FileDisk.open(directory, true), clock, clock.scarce);
  }

  @Test
  void aCheckpointThatHasBegunFailsTheStoreByName(@TempDir Path directory) {
    var scarce = new AtomicBoolean();
    Disk disk = scarce(Disk.class, FileDisk.open(directory, true), scarce);
    requireFails(directory, disk, Clock.SYSTEM, scarce);
  }

  /// A disk on which one force by the checkpoint thread finds no memory.
  private static <T> T scarce(Class<T> type, T below, AtomicBoolean scarce) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals("force")
                  && Thread.currentThread().getName().startsWith("varve-checkpoint")
                  && scarce.compareAndSet(true, false)) {
                throw new OutOfMemoryError("planted");
              }
              try {
                Object result = method.invoke(below, arguments);
                return result instanceof DiskFile file
                    ? scarce(DiskFile.class, file, scarce)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static void requireFails(Path directory, Disk disk, Clock clock, AtomicBoolean scarce) {
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
    try (Store again = Store.open(directory, options)) {
      assertThat(again.space("s").get(KEY)).isEqualTo(KEY);
      again.verify().requireSound();
    }
  }

  @Test
  void theCheckpointThreadContinuesIfItHasBegunNothing(@TempDir Path directory) throws Exception {
    var clock = new ScarceClock("varve-checkpoint", "isDue");
    StoreOptions options = StoreOptions.defaults().checkpointInterval(Duration.ofMillis(10));
    try (Store store =
        StoreOpener.open(FileDisk.open(directory, true), clock, StoreThreads.PLATFORM, options)) {
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
