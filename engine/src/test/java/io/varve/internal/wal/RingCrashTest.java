package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.HookedDisk.Call;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A ring that doubles under commits, ended at each step of it: before each call that changes the
/// ring's file or the header of a segment. What was acknowledged by then is found.
@Timeout(120)
class RingCrashTest {
  private static final int RING = TestLogs.RING;
  private static final int SEEDS = 24;
  private static final int COMMITS = 40;
  private static final int IMAGES_MAX = 16;

  /// What a process or a loss of power left at a step.
  ///
  /// @param acknowledged the numbers of commits that must be found
  private record Image(HookedDisk disk, Set<Long> acknowledged, String step) {}

  /// One run: its disk, what it acknowledged, and the images that were taken of it.
  private static final class Run {
    private final SplittableRandom random;
    private final HookedDisk disk = new HookedDisk();
    private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
    private final ConcurrentSkipListMap<Long, Long> numbers = new ConcurrentSkipListMap<>();
    private final AtomicLong durableLsn = new AtomicLong();
    private final AtomicLong last = new AtomicLong();
    private final ConcurrentLinkedQueue<Image> images = new ConcurrentLinkedQueue<>();

    Run(long seed) {
      random = new SplittableRandom(seed);
    }

    /// Takes an image of what a kill would leave, and one of a loss of power.
    void take(Call call, String file, long position) {
      boolean isHeader = file.endsWith(LogFiles.SUFFIX) && call == Call.WRITE && position == 0;
      if ((file.equals(LogFiles.RING) || isHeader) && images.size() < IMAGES_MAX) {
        String step = call + " " + file + " " + position;
        Set<Long> before = new TreeSet<>(acknowledged);
        images.add(new Image(disk.afterProcessCrash(), before, "killed at " + step));
        // Looked at before the image: what is durable later need not be in it.
        Set<Long> durable = new TreeSet<>(numbers.headMap(durableLsn.get(), true).values());
        HookedDisk lost = disk.afterPowerLoss(images.size());
        images.add(new Image(lost, durable, "power lost at " + step));
      }
    }

    void commit(Log log, SplittableRandom sizes) {
      boolean isLong = sizes.nextInt(12) == 0;
      long number = last.incrementAndGet();
      long lsn = Commits.append(log, number, 8 + sizes.nextInt(isLong ? 3 * RING : RING / 4));
      numbers.put(lsn, number);
      boolean isForced = sizes.nextInt(6) == 0;
      log.await(lsn, isForced ? Durability.POWER_LOSS : Durability.PROCESS_CRASH);
      acknowledged.add(number);
      if (isForced) {
        durableLsn.accumulateAndGet(lsn, Math::max);
      }
    }
  }

  @Test
  void whatWasAcknowledgedIsFoundAfterAnEndAtEachStepOfADoubling() throws InterruptedException {
    int doubled = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      var run = new Run(seed);
      int flushers = 1 + (int) (seed % 3);
      Log log = TestLogs.create(run.disk, TestLogs.GROWING.flusherCount(flushers));
      run.disk.hook(run::take);
      commitByThreads(1 + (int) (seed % 4), run, log);
      run.disk.hook((_, _, _) -> {});
      doubled += run.disk.content(LogFiles.RING).length > RING ? 1 : 0;
      for (Image image : run.images) {
        if (image.step.startsWith("power")) {
          cutRing(image.disk, run.random); // its length is forced by nothing
        }
        Commits found = TestLogs.recover(image.disk, LogPosition.ORIGIN);
        String where = "seed " + seed + ", " + image.step;
        assertThat(found.numbers()).as(where).containsAll(image.acknowledged);
        assertThat(TestLogs.recover(image.disk, LogPosition.ORIGIN).found)
            .as("recovered again: " + where)
            .isEqualTo(found.found);
      }
      log.close();
      assertThat(TestLogs.recover(run.disk, LogPosition.ORIGIN).numbers())
          .as("closed, seed " + seed)
          .containsExactlyElementsOf(run.numbers.values());
    }
    assertThat(doubled).as("runs in which the ring doubled").isGreaterThan(SEEDS / 4);
  }

  private static void commitByThreads(int count, Run run, Log log) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    for (int t = 0; t < count; t++) {
      SplittableRandom sizes = run.random.split();
      Runnable work =
          () -> {
            for (int i = 0; i < COMMITS; i++) {
              run.commit(log, sizes);
            }
          };
      Thread thread = Thread.ofPlatform().unstarted(work);
      thread.setUncaughtExceptionHandler((_, e) -> failures.add(e));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  private static void cutRing(HookedDisk disk, SplittableRandom random) {
    if (!disk.exists(LogFiles.RING)) {
      return;
    }
    try (var ring = disk.open(LogFiles.RING)) {
      ring.truncate(random.nextLong(ring.size() + 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
