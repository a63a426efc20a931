package io.varve.bench.jmh;

import io.varve.bench.load.KeyOrder;
import io.varve.internal.page.LeafPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/// Searches and changes of one leaf of 8 KiB with keys of 16 bytes and values of 100.
///
/// [#find()] goes through many pages, so that a page is no longer in the nearest caches when it is
/// searched again, as in a store.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LeafPageBenchmark {
  private static final int PAGE_BYTES = 8192;
  private static final int VALUE_BYTES = 100;

  /// As many as fit a page.
  private static final int ENTRIES = 60;

  /// 32 MiB of pages.
  private static final int PAGES = 4096;

  private static final int MASK = (1 << 16) - 1;

  /// How keys are made: ascending numbers share a prefix, hashes share none.
  @Param({"SEQUENTIAL", "HASHED"})
  private KeyOrder order;

  private final byte[] value = new byte[VALUE_BYTES];
  private byte[][] shuffledKeys;
  private byte[][] pages;
  private byte[][] wanted;
  private int[] choices;
  private int next;

  /// Fills the pages.
  @Setup
  public void fill() {
    var random = new Random(1);
    pages = new byte[PAGES][];
    wanted = new byte[PAGES][];
    shuffledKeys = new byte[0][];
    for (int page = 0; page < PAGES; page++) {
      List<byte[]> keys = new ArrayList<>();
      for (int entry = 0; entry < ENTRIES; entry++) {
        byte[] key = new byte[16];
        order.key((long) page * ENTRIES + entry, key);
        keys.add(key);
      }
      keys.sort(Arrays::compareUnsigned);
      byte[][] values = new byte[ENTRIES][];
      Arrays.fill(values, value);
      int[] tags = new int[ENTRIES];
      Arrays.fill(tags, VALUE_BYTES);
      pages[page] =
          LeafPage.build(keys.toArray(new byte[0][]), values, tags, 0, ENTRIES, PAGE_BYTES);
      wanted[page] = keys.get(random.nextInt(ENTRIES));
      if (page == 0) {
        Collections.shuffle(keys, random);
        shuffledKeys = keys.toArray(new byte[0][]);
      }
    }
    choices = random.ints(MASK + 1, 0, PAGES).toArray();
  }

  /// Finds a key that is there, in a page chosen at random.
  @Benchmark
  public int find() {
    int page = choices[next++ & MASK];
    return LeafPage.find(pages[page], wanted[page]);
  }

  /// Finds a key and copies its value out.
  @Benchmark
  public byte[] get() {
    int page = choices[next++ & MASK];
    return LeafPage.value(pages[page], LeafPage.find(pages[page], wanted[page]));
  }

  /// Finds a key and overwrites its value in place.
  @Benchmark
  public void overwrite() {
    int page = choices[next++ & MASK];
    LeafPage.overwriteValue(
        pages[page], LeafPage.find(pages[page], wanted[page]), value, VALUE_BYTES);
  }

  /// Fills an empty page in random order; the time is that of one insert.
  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public byte[] insert() {
    byte[] page = LeafPage.create(PAGE_BYTES, new byte[0], 0);
    for (byte[] key : shuffledKeys) {
      LeafPage.insert(page, ~LeafPage.find(page, key), key, value, VALUE_BYTES);
    }
    return page;
  }

  /// Rebuilds a full page, as a split does twice.
  @Benchmark
  public byte[] rebuild() {
    return LeafPage.rebuild(pages[choices[next++ & MASK]], 0, ENTRIES, PAGE_BYTES, null);
  }
}
