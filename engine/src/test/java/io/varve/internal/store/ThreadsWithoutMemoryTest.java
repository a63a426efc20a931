package io.varve.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.StoreThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A thread of the store that finds no memory fails the store, with that as the cause: a store that
/// looks sound without it would keep commits waiting forever.
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

  @ParameterizedTest
  @CsvSource({"varve-checkpoint, keepHouse", "varve-checkpoint, write", "varve-log-, rest"})
  void theStoreFailsByName(String thread, String method, @TempDir Path directory) throws Exception {
    var clock = new ScarceClock(thread, method);
    StoreOptions options =
        StoreOptions.defaults().cacheBytes(1 << 20).checkpointInterval(Duration.ofMillis(10));
    try (Store store =
        StoreOpener.open(FileDisk.open(directory, true), clock, StoreThreads.PLATFORM, options)) {
      Space space = store.space("s");
      space.put(KEY, KEY);
      clock.scarce.set(true);
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
