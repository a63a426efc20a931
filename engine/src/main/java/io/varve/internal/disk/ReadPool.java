package io.varve.internal.disk;

import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Reads for virtual threads on platform threads, so that a wait for the disk keeps no carrier. As
/// many reads are in flight as threads read, up to [#READS_MAX], however few cores there are.
/// Threads are made on demand, and end when there was nothing to read for a while.
///
/// A hand-over costs two switches of threads: too much compared with a read that the system's page
/// cache answers, and for a thread that reads alone. So reads happen in place while they are quick,
/// and while no more than half of the carriers are kept by them.
///
/// (READ-1) Each read is done by one thread: one that claims it.
final class ReadPool {
  /// Enough for the queue of a fast device; as many threads exist at most, for all stores.
  static final int READS_MAX = 32;

  static final ReadPool SHARED = new ReadPool();

  /// A read that takes less is not worth a hand-over.
  private static final long QUICK_NANOS = 50_000;

  /// A single read counts for that much at most, and the latest for one part in [#SHARE].
  private static final long COUNTED_NANOS_MAX = 20 * QUICK_NANOS;

  private static final int SHARE = 8;
  private static final long KEEP_ALIVE_SECONDS = 5;

  private final ForkJoinPool threads =
      new ForkJoinPool(
          READS_MAX,
          ReadPool::newThread,
          null,
          true,
          0,
          READS_MAX,
          1,
          null,
          KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS);

  /// The carriers that reads may keep.
  private static final int CARRIERS_MAX =
      Integer.getInteger(
              "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors())
          / 2;

  /// Virtual threads that read in place although reads take long.
  private final AtomicInteger keptCarriers = new AtomicInteger();

  /// About how long the last reads of virtual threads took. Racy by intent: no rule depends on it.
  private volatile long recentNanos = COUNTED_NANOS_MAX;

  /// A read of a file, which blocks.
  @FunctionalInterface
  interface Read {
    /// Reads, and gives the number of bytes.
    int run() throws IOException;
  }

  private static ForkJoinWorkerThread newThread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread =
        ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool); // a daemon
    thread.setName("varve-read-" + thread.getPoolIndex());
    return thread;
  }

  /// Reads in place for a platform thread, and lets a virtual one park until it is done. An
  /// interrupt does not end that, and stays set.
  int read(Read read) throws IOException {
    if (!Thread.currentThread().isVirtual()) {
      return read.run();
    }
    if (recentNanos < QUICK_NANOS) {
      return timed(read);
    }
    if (keptCarriers.getAndIncrement() < CARRIERS_MAX) {
      try {
        return timed(read);
      } finally {
        keptCarriers.getAndDecrement();
      }
    }
    keptCarriers.getAndDecrement();
    return handOver(new HandedRead(read));
  }

  private int handOver(HandedRead handed) throws IOException {
    try {
      threads.execute(handed);
    } catch (RuntimeException | Error _) {
      handed.run(); // No thread could be made; perhaps one there has claimed it (READ-1).
    }
    return handed.await();
  }

  private int timed(Read read) throws IOException {
    long before = System.nanoTime();
    try {
      return read.run();
    } finally {
      long nanos = Math.min(System.nanoTime() - before, COUNTED_NANOS_MAX);
      long recent = recentNanos;
      recentNanos = recent + (nanos - recent) / SHARE;
    }
  }

  /// The read of a virtual thread that waits for it.
  private final class HandedRead implements Runnable {
    private final Read read;
    private final Thread reader = Thread.currentThread();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private int count; // written before `done`
    private @Nullable Throwable failure; // written before `done`
    private volatile boolean done;

    HandedRead(Read read) {
      this.read = read;
    }

    @Override
    public void run() {
      if (!claimed.compareAndSet(false, true)) {
        return;
      }
      try {
        count = timed(read);
      } catch (Throwable e) {
        failure = e;
      } finally {
        done = true;
        LockSupport.unpark(reader);
      }
    }

    int await() throws IOException {
      boolean interrupted = false;
      while (!done) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        reader.interrupt();
      }
      return switch (failure) {
        case null -> count;
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new IOException("read failed", e);
      };
    }
  }
}
