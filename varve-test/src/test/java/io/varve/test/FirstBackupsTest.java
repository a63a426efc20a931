package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.StoreLockedException;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two backups into one directory that has none yet: one of them is refused with the reason, and
/// what the other wrote restores.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FirstBackupsTest {
  private static final byte[] KEY = Bytes.of("k");

  @TempDir Path directory;

  @Test
  void intoADirectory() throws Exception {
    requireOneRefused(directory.resolve("backups"));
  }

  @Test
  void intoAFile() throws Exception {
    requireOneRefused(directory.resolve("backup.vbk"));
  }

  /// The second backup starts while the first is copying pages.
  private void requireOneRefused(Path target) throws Exception {
    Path path = directory.resolve("store");
    try (Store store = Store.open(path, Stores.tiny())) {
      store.space("s").put(KEY, new byte[300_000]);
      var copying = new CountDownLatch(1);
      var refused = new CountDownLatch(1);
      var first = new AtomicBoolean();
      Threads threads = new Threads();
      threads.start(() ->
          Backups.at(target)
              .take(
                  store,
                  BackupOptions.defaults()
                      .listener((_, _) -> {
                        copying.countDown();
                        await(refused);
                        first.set(true);
                      })));
      copying.await();
      assertThatThrownBy(() -> Backups.at(target).take(store, BackupOptions.defaults()))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("another backup is being written")
          .hasMessageContaining(target.toString());
      refused.countDown();
      threads.join();
      assertThat(first).as("the first backup continued").isTrue();
    }
    Path restored = directory.resolve("restored");
    Backups.at(target).restore(restored, RestoreTo.newest());
    try (Store store = Store.open(restored, Stores.tiny())) {
      assertThat(store.space("s").get(KEY)).hasSize(300_000);
      store.verify().requireSound();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Both make the directory: the second backup finds it made.
  @Test
  void intoADirectoryThatBothMake() throws Exception {
    try (Store store = Store.open(directory.resolve("store"), Stores.tiny())) {
      store.space("s").put(KEY, KEY);
      for (int round = 0; round < 40; round++) {
        Path target = directory.resolve("a" + round).resolve("b").resolve("backups");
        var all = new CyclicBarrier(2);
        var taken = new AtomicInteger();
        Threads threads = new Threads();
        for (int i = 0; i < 2; i++) {
          threads.start(() -> {
            all.await();
            try {
              BackupPoint point = Backups.at(target).take(store, BackupOptions.defaults());
              assertThat(point.number()).isPositive();
              taken.incrementAndGet();
            } catch (StoreLockedException e) {
              assertThat(e).hasMessageContaining("another backup is being written");
            }
          });
        }
        threads.join();
        assertThat(taken).as("backups taken in round %d", round).hasPositiveValue();
      }
    }
  }
}
