package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadPoolTest {
  private final ReadPool pool = new ReadPool();
  private final CountDownLatch release = new CountDownLatch(1);

  /// As a system call does: a virtual thread keeps its carrier.
  private int block(CountDownLatch inside) {
    inside.countDown();
    while (Thread.currentThread().isVirtual() && release.getCount() > 0) {
      Thread.onSpinWait();
    }
    awaitRelease();
    return 1;
  }

  private void awaitRelease() {
    boolean interrupted = false;
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static FutureTask<Integer> startVirtual(Callable<Integer> work) {
    FutureTask<Integer> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }

  /// As many were in the disk as there are cores.
  @Test
  void allVirtualThreadsAreInTheDiskTogether() throws Exception {
    CountDownLatch inside = new CountDownLatch(ReadPool.READS_MAX);
    List<FutureTask<Integer>> reads = new ArrayList<>();
    for (int i = 0; i < ReadPool.READS_MAX; i++) {
      reads.add(startVirtual(() -> pool.read(() -> block(inside))));
    }
    boolean all = inside.await(20, TimeUnit.SECONDS);
    release.countDown();
    for (FutureTask<Integer> read : reads) {
      assertThat(read.get()).isEqualTo(1);
    }
    assertThat(all).as("all reads were in the disk together").isTrue();
  }

  @Test
  void interruptNeitherEndsTheReadNorIsLost() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    AtomicReference<Boolean> flag = new AtomicReference<>();
    FutureTask<Integer> task =
        new FutureTask<>(() -> {
          int read = pool.read(() -> block(inside));
          flag.set(Thread.interrupted());
          return read;
        });
    Thread reader = Thread.ofVirtual().start(task);
    inside.await();
    reader.interrupt();
    release.countDown();
    assertThat(task.get()).isEqualTo(1);
    assertThat(flag.get()).isTrue();
  }

  @Test
  void failureIsThrownToTheReader() {
    IOException failure = new IOException("bad sector");
    assertThatThrownBy(() ->
            startVirtual(() ->
                    pool.read(() -> {
                      throw failure;
                    }))
                .get())
        .hasCause(failure);
  }

  @Test
  void readsOfPlatformThreadsAndQuickOnesHappenInPlace() throws Exception {
    Thread self = Thread.currentThread();
    assertThat(pool.read(() -> Thread.currentThread().equals(self) ? 1 : 0)).isEqualTo(1);
    boolean inPlace =
        startVirtual(
                () -> {
                  Thread reader = Thread.currentThread();
                  int last = 0;
                  for (int i = 0; last == 0 && i < 100_000; i++) {
                    last = pool.read(() -> Thread.currentThread().equals(reader) ? 1 : 0);
                  }
                  return last;
                })
            .get()
            .equals(1);
    assertThat(inPlace).isTrue();
  }
}
