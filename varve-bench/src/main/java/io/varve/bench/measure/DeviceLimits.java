package io.varve.bench.measure;

import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// What the machine itself gives, to hold the figures of the stores against.
public final class DeviceLimits {
  private static final int[] STREAMS = {1, 2, 4, 8, 16};
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int COPY_BYTES = 64 << 20;

  private final Path file;
  private final Timing timing;
  private final RowSink rows;

  /// @param directory where to put the file that is written and read
  /// @param fileBytes its length, a multiple of 16 MiB
  public DeviceLimits(ScratchDirectory directory, long fileBytes, Timing timing, RowSink rows) {
    file = directory.path().resolve("raw");
    this.timing = timing;
    this.rows = rows;
    RawFile.prewrite(file, fileBytes);
  }

  /// Measures everything.
  public void measure() {
    synchronousWrites();
    forcedWrite();
    randomReads();
    sequential();
    memoryCopy();
  }

  /// Each stream overwrites blocks of its own part of the file, one after the other, as a log does.
  private void synchronousWrites() {
    try (RawFile raw = RawFile.openDirect(file)) {
      for (int streams : STREAMS) {
        long part = raw.length() / streams / RawFile.BLOCK_BYTES * RawFile.BLOCK_BYTES;
        operations(
            "write 4 KiB DSYNC DIRECT",
            streams,
            index -> {
              ByteBuffer block = RawFile.alignedBuffer(RawFile.BLOCK_BYTES);
              long[] next = {0};
              return () -> {
                raw.write(block, index * part + next[0]);
                next[0] = (next[0] + RawFile.BLOCK_BYTES) % part;
              };
            });
      }
    }
  }

  private void forcedWrite() {
    report("write 4 KiB and force", 1, forcedWrites());
  }

  private CellResult forcedWrites() {
    try (RawFile raw = RawFile.openBuffered(file)) {
      ByteBuffer block = RawFile.alignedBuffer(RawFile.BLOCK_BYTES);
      long[] next = {0};
      return Cell.latency(
          1,
          ThreadKind.PLATFORM,
          timing,
          Cell.Observer.NONE,
          index ->
              () -> {
                raw.write(block, next[0]);
                raw.force();
                next[0] = (next[0] + RawFile.BLOCK_BYTES) % raw.length();
              });
    }
  }

  /// How often a second one thread can write 4 KiB and force them.
  public double forceRate() {
    return forcedWrites().rate();
  }

  /// Reports the latencies of the same with threads that compute all the time: what the system's
  /// scheduler alone makes of them.
  public void forcesConcurrently(int busyThreads) {
    Cell.Pair results =
        Cell.together(
            () -> Cell.rate(busyThreads, timing, Cell.Observer.NONE, DeviceLimits::compute),
            this::forcedWrites);
    report("write 4 KiB and force with " + busyThreads + " busy", 1, results.second());
  }

  private static Worker compute(int index) {
    var random = new SplittableRandom(index);
    long[] sum = {0};
    return () -> {
      for (int i = 0; i < 1_000; i++) {
        sum[0] += random.nextLong();
      }
    };
  }

  private void randomReads() {
    try (RawFile raw = RawFile.openDirect(file)) {
      for (int streams : STREAMS) {
        operations(
            "read 4 KiB at random DIRECT",
            streams,
            index -> {
              ByteBuffer block = RawFile.alignedBuffer(RawFile.BLOCK_BYTES);
              var random = new SplittableRandom(index);
              long blocks = raw.length() / RawFile.BLOCK_BYTES;
              return () -> raw.read(block, random.nextLong(blocks) * RawFile.BLOCK_BYTES);
            });
      }
    }
  }

  private void sequential() {
    try (RawFile raw = RawFile.openDirect(file)) {
      ByteBuffer chunk = RawFile.alignedBuffer(CHUNK_BYTES);
      long[] next = {0};
      bytes(
          "write 1 MiB DSYNC DIRECT",
          CHUNK_BYTES,
          () -> {
            raw.write(chunk, next[0]);
            next[0] = (next[0] + CHUNK_BYTES) % raw.length();
          });
      bytes(
          "read 1 MiB DIRECT",
          CHUNK_BYTES,
          () -> {
            raw.read(chunk, next[0]);
            next[0] = (next[0] + CHUNK_BYTES) % raw.length();
          });
    }
  }

  private void memoryCopy() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocate(COPY_BYTES);
      MemorySegment to = arena.allocate(COPY_BYTES);
      from.fill((byte) 1);
      to.fill((byte) 1);
      bytes("memory copy", COPY_BYTES, () -> to.copyFrom(from));
    }
  }

  private void operations(String caseName, int streams, Worker.Factory workers) {
    report(
        caseName,
        streams,
        Cell.latency(streams, ThreadKind.PLATFORM, timing, Cell.Observer.NONE, workers));
  }

  private void report(String caseName, int streams, CellResult result) {
    rows.accept(caseName, streams, Metric.RATE, result.rate());
    rows.accept(caseName, streams, Metric.LATENCY_P50, result.micros(50));
    rows.accept(caseName, streams, Metric.LATENCY_P99, result.micros(99));
  }

  private void bytes(String caseName, int bytesPerStep, Worker worker) {
    CellResult result = Cell.rate(1, timing, Cell.Observer.NONE, index -> worker);
    rows.accept(caseName, 1, Metric.THROUGHPUT, result.rate() * bytesPerStep / 1e6);
  }
}
