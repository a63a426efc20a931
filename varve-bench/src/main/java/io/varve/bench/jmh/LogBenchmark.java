package io.varve.bench.jmh;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.RecordSink;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/// Reserves, encodes and publishes log records of 120 bytes, over a disk in memory: what a commit
/// costs that waits for nothing, the flushers' share of the processors included.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LogBenchmark {
  private static final int BODY_BYTES = 120;

  private final byte[] body = new byte[BODY_BYTES];
  private Log log;

  /// Starts an empty log.
  @Setup
  public void start() {
    log =
        LogRecovery.createLog(
            new MemoryDisk(), Clock.SYSTEM, LogSettings.defaults(), new StoreId(1, 2));
  }

  /// Ends it.
  @TearDown
  public void end() {
    log.close();
  }

  /// One committer.
  @Benchmark
  @Threads(1)
  public long appendByOne() {
    return append();
  }

  /// Two committers on one log.
  @Benchmark
  @Threads(2)
  public long appendByTwo() {
    return append();
  }

  private long append() {
    long start = log.tryReserve(BODY_BYTES);
    while (start == Log.NO_CAPACITY) {
      // As a checkpoint would: what is durable is no longer needed.
      log.releaseBefore(log.durableLsn());
      log.awaitCapacity(BODY_BYTES);
      start = log.tryReserve(BODY_BYTES);
    }
    RecordSink sink = log.sink(start, BODY_BYTES);
    sink.putBytes(body, 0, BODY_BYTES);
    sink.publish();
    return start;
  }
}
