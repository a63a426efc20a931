package io.varve.bench.jmh;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.bench.load.KeyOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Single operations of a store in memory through the public API: the tree without log and disk.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SpaceBenchmark {
  private static final int SCAN_LENGTH = 100;

  @Param({"10000", "1000000"})
  private int entries;

  private Store store;
  private Space space;

  /// Fills the store in random order of keys.
  @Setup
  public void fill() {
    store = Store.inMemory();
    space = store.space("bench");
    byte[] key = new byte[16];
    for (int record = 0; record < entries; record++) {
      KeyOrder.HASHED.key(record, key);
      space.put(key, new byte[100]);
    }
  }

  /// Ends the store.
  @TearDown
  public void end() {
    store.close();
  }

  /// What each thread draws keys with.
  @State(Scope.Thread)
  public static class Choice {
    private final Random random = new Random(1);
    private final byte[] key = new byte[16];
    private final byte[] value = new byte[100];

    byte[] key(int entries) {
      KeyOrder.HASHED.key(random.nextInt(entries), key);
      return key;
    }
  }

  /// Reads a random key.
  @Benchmark
  public byte @Nullable [] get(Choice choice) {
    return space.get(choice.key(entries));
  }

  /// Overwrites the value of a random key.
  @Benchmark
  public Commit put(Choice choice) {
    return space.put(choice.key(entries), choice.value);
  }

  /// Reads entries in order from a random key; the time is that of one entry.
  @Benchmark
  @OperationsPerInvocation(SCAN_LENGTH)
  public int scan(Choice choice) {
    try (Cursor cursor = space.cursor(Range.atLeast(choice.key(entries)))) {
      int bytes = 0;
      for (int i = 0; i < SCAN_LENGTH && cursor.next(); i++) {
        bytes += cursor.readValue(choice.value);
      }
      return bytes;
    }
  }
}
