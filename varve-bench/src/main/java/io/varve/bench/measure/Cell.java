package io.varve.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// One measurement: a number of threads that repeat an operation, for a time to warm up and then a
/// time that counts. An operation counts if it ends within the time measured. Latencies also take
/// in the operations under way at the end, so that a starved thread shows.
public final class Cell {
  /// Latencies above it are counted as it: longer than any cell.
  private static final long LATENCY_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

  private static final int LATENCY_DIGITS = 2;

  /// How long the operations under way at the end may take; then the store hangs.
  private static final Duration LAST_OPERATION_MAX = Duration.ofMinutes(5);

  private enum Phase {
    WARMING,
    MEASURING,
    ENDED
  }

  private final int threads;
  private final ThreadKind kind;
  private final boolean timed;
  private final CountDownLatch ready;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  // Written by the thread that runs the cell, read by all workers.
  private volatile Phase phase = Phase.WARMING;

  private Cell(int threads, ThreadKind kind, boolean timed) {
    this.threads = threads;
    this.kind = kind;
    this.timed = timed;
    ready = new CountDownLatch(threads);
  }

  /// Runs a cell that counts operations.
  public static CellResult rate(
      int threads, Timing timing, Observer observer, Worker.Factory workers) {
    return new Cell(threads, ThreadKind.PLATFORM, false).run(timing, observer, workers);
  }

  /// Runs a cell that counts operations and times each.
  public static CellResult latency(
      int threads, ThreadKind kind, Timing timing, Observer observer, Worker.Factory workers) {
    return new Cell(threads, kind, true).run(timing, observer, workers);
  }

  /// What two cells at the same time measured.
  public record Pair(CellResult first, CellResult second) {}

  /// Runs two cells at the same time.
  public static Pair together(Supplier<CellResult> first, Supplier<CellResult> second) {
    CompletableFuture<CellResult> other =
        CompletableFuture.supplyAsync(first, task -> new Thread(task, "bench-other").start());
    CellResult result = second.get();
    return new Pair(other.join(), result);
  }

  private CellResult run(Timing timing, Observer observer, Worker.Factory workers) {
    List<Loop> loops = new ArrayList<>();
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Loop loop = new Loop(i, workers);
      loops.add(loop);
      started.add(kind.start("bench-" + i, loop));
    }
    long nanos;
    try {
      ready.await();
      sleepUnlessFailed(timing.warmUpNanos());
      observer.begins();
      long begin = System.nanoTime();
      phase = Phase.MEASURING;
      sleepUnlessFailed(timing.measuredNanos());
      phase = Phase.ENDED;
      nanos = System.nanoTime() - begin;
      observer.ends();
      for (Thread thread : started) {
        if (!thread.join(LAST_OPERATION_MAX)) {
          throw new IllegalStateException("an operation does not end: thread=" + thread.getName());
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while measuring", e);
    } finally {
      phase = Phase.ENDED;
    }
    if (failure.get() != null) {
      throw new IllegalStateException("a worker failed", failure.get());
    }
    return sum(loops, nanos);
  }

  private void sleepUnlessFailed(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    long left = nanos;
    while (left > 0 && failure.get() == null) {
      TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
      left = end - System.nanoTime();
    }
  }

  private static CellResult sum(List<Loop> loops, long nanos) {
    long operations = 0;
    Histogram latencies = newHistogram();
    for (Loop loop : loops) {
      operations += loop.operations;
      if (loop.latencies != null) {
        latencies.add(loop.latencies);
      }
    }
    return new CellResult(operations, nanos, latencies);
  }

  private static Histogram newHistogram() {
    return new Histogram(LATENCY_NANOS_MAX, LATENCY_DIGITS);
  }

  /// What to note at the borders of the time measured.
  public interface Observer {
    /// Notes nothing.
    Observer NONE =
        new Observer() {
          @Override
          public void begins() {}

          @Override
          public void ends() {}
        };

    /// The time measured begins.
    void begins();

    /// The time measured has ended; operations may still be under way.
    void ends();
  }

  private final class Loop implements Runnable {
    private final int index;
    private final Worker.Factory workers;
    // Written by the loop's thread, read when it has ended.
    private @Nullable Histogram latencies;
    private long operations;

    Loop(int index, Worker.Factory workers) {
      this.index = index;
      this.workers = workers;
    }

    @Override
    public void run() {
      try (Worker worker = workers.create(index)) {
        ready.countDown();
        operations = timed ? loopTimed(worker) : loop(worker);
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
        ready.countDown();
      }
    }

    private long loop(Worker worker) {
      long count = 0;
      Phase now = phase;
      while (now != Phase.ENDED) {
        worker.step();
        now = phase;
        if (now == Phase.MEASURING) {
          count++;
        }
      }
      return count;
    }

    private long loopTimed(Worker worker) {
      // Created when first used: a thousand threads that never finish an operation need none.
      @Nullable Histogram times = null;
      long count = 0;
      Phase now = phase;
      long begin = System.nanoTime();
      while (now != Phase.ENDED) {
        worker.step();
        long end = System.nanoTime();
        now = phase;
        if (now == Phase.MEASURING) {
          count++;
        }
        if (now != Phase.WARMING) {
          if (times == null) {
            times = newHistogram();
          }
          times.recordValue(Math.min(end - begin, LATENCY_NANOS_MAX));
        }
        begin = end;
      }
      latencies = times;
      return count;
    }
  }
}
