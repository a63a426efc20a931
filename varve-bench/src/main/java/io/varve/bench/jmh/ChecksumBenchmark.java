package io.varve.bench.jmh;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// CRC-32C as the log and the pages use it: of a small record, of a block, of a page.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChecksumBenchmark {
  @Param({"140", "4096", "8192", "65536"})
  private int bytes;

  private byte[] data;

  /// Makes the bytes.
  @Setup
  public void fill() {
    data = new byte[bytes];
    new Random(1).nextBytes(data);
  }

  /// The checksum of all bytes.
  @Benchmark
  public long crc32c() {
    var crc = new CRC32C();
    crc.update(data, 0, data.length);
    return crc.getValue();
  }
}
