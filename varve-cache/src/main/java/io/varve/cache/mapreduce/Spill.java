package io.varve.cache.mapreduce;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.LogIo;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where tables go that find no room in memory: to a store that ends with the job, whose keys are
/// those of [RunRecord] behind the number of the run. It is made when the first run is, and
/// encrypted with a key that nothing but it knows: what a job reads may come from a store that is
/// encrypted, of which a job that was killed must leave nothing in clear. Safe for threads, each of
/// which writes runs of its own.
///
/// @param <K> the keys
/// @param <V> the values
final class Spill<K, V> implements AutoCloseable {
  /// The store forgets pages that it has written beyond these: runs are written once, and read
  /// once.
  private static final long CACHE_BYTES_MAX = 64 << 20;

  private static final int KEY_BYTES = 32;

  /// Runs that are merged at once, each of which takes a leaf of memory: together about 2 MB.
  private static final int RUNS_MAX = 128;

  private static final int CACHE_SHARE = 4;
  private static final long CACHE_BYTES_MIN = 4 << 20;

  /// A run is written at its end, and nothing is ever recovered, so the log is small.
  private static final int LOG_BUFFER_BYTES = 1 << 20;

  private static final int LOG_SEGMENT_BYTES = 4 << 20;
  private static final long LOG_BYTES_MAX = 8L * LOG_SEGMENT_BYTES;

  private final Plan<?, K, V, ?> plan;
  private volatile int runCount; // written under the lock of this
  private @Nullable Store store; // guarded by this
  private @Nullable Space space; // guarded by this
  private @Nullable Path directory; // guarded by this

  // Of tables; runs that are made of runs count only as time.
  final LongAdder tables = new LongAdder();
  final LongAdder pairs = new LongAdder();
  final LongAdder bytes = new LongAdder();
  final LongAdder nanos = new LongAdder();

  Spill(Plan<?, K, V, ?> plan) {
    this.plan = plan;
  }

  /// A run that holds nothing yet.
  private record Run(Space space, byte[] prefix) {
    Run(Space space, int number) {
      this(space, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    byte[] key(byte[] storedKey) {
      return ByteBuffer.allocate(prefix.length + storedKey.length)
          .put(prefix)
          .put(storedKey)
          .array();
    }
  }

  private synchronized Run newRun() {
    Space open = space;
    if (open == null) {
      Path made = makeDirectory();
      directory = made; // before the store, so that a failed open leaves nothing behind
      Store opened = Store.open(made, options());
      store = opened;
      open = opened.space("runs");
      space = open;
    }
    Run run = new Run(open, runCount);
    runCount = runCount + 1;
    return run;
  }

  private Path makeDirectory() {
    String prefix = "varve-mapreduce-";
    Path parent = plan.directory();
    try {
      return parent == null
          ? Files.createTempDirectory(prefix)
          : Files.createTempDirectory(Files.createDirectories(parent), prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no directory for what a job has no room for in memory: in="
              + (parent == null ? System.getProperty("java.io.tmpdir") : parent)
              + "; name another one as spillDirectory",
          e);
    }
  }

  private static byte[] randomKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  private StoreOptions options() {
    long cacheBytes =
        Math.clamp(plan.budgetBytes() / CACHE_SHARE, CACHE_BYTES_MIN, CACHE_BYTES_MAX);
    return StoreOptions.defaults()
        .durability(Durability.BACKGROUND)
        .encryption(KeySource.of(randomKey()))
        .logIo(LogIo.BUFFERED)
        .logBufferBytes(LOG_BUFFER_BYTES)
        .logSegmentBytes(LOG_SEGMENT_BYTES)
        .logBytesMax(LOG_BYTES_MAX)
        .flushInterval(Duration.ofMinutes(1))
        .cacheBytes(cacheBytes);
  }

  /// Writes a table, which is empty then.
  ///
  /// @param check called for each key; throws if the job has ended
  void write(WorkerTable<K, V> table, Runnable check) {
    bytes.add(write(new TableRun<>(table, plan.keys()), check));
    pairs.add(table.size());
    tables.increment();
    table.clear();
  }

  /// @return the bytes of the run
  private long write(SortedRun<K, V> sorted, Runnable check) {
    long start = System.nanoTime();
    Run run = newRun();
    long written = 0;
    while (sorted.next()) {
      check.run();
      byte[] key = sorted.storedKey();
      byte[] value =
          RunRecord.storedValue(key, sorted.key(), sorted.values(), plan.keys(), plan.values());
      run.space().put(run.key(key), value);
      written += key.length + value.length;
    }
    nanos.add(System.nanoTime() - start);
    return written;
  }

  /// The runs so far. It waits for nobody who writes one.
  int count() {
    return runCount;
  }

  /// All that was written, in runs few enough to merge at once: where there are more, as many as
  /// that are made one, the oldest first. Without a combiner they are left as they are, since all
  /// values of a key would have to find room in memory. When no thread writes any more.
  ///
  /// @param check as for [#write]
  List<SortedRun<K, V>> runs(Runnable check) {
    int first = 0;
    while (plan.combiner() != null && runCount - first > RUNS_MAX) {
      write(new MergedRun<>(plan, runs(first, first + RUNS_MAX)), check);
      first += RUNS_MAX;
    }
    return runs(first, runCount);
  }

  private synchronized List<SortedRun<K, V>> runs(int from, int to) {
    List<SortedRun<K, V>> all = new ArrayList<>();
    Space open = space;
    for (int number = from; open != null && number < to; number++) {
      byte[] prefix = new Run(open, number).prefix();
      Cursor cursor = open.cursor(Range.prefix(prefix));
      all.add(new SpilledRun<>(cursor, prefix.length, plan.keys(), plan.values()));
    }
    return all;
  }

  /// Removes all of it from the disk.
  @Override
  public synchronized void close() {
    try {
      if (store != null) {
        store.close();
      }
    } finally {
      delete();
    }
  }

  private void delete() {
    Path made = directory;
    if (made == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(made)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("files of a job are left: directory=" + made, e);
    }
  }
}
