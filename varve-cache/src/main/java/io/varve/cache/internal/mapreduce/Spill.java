package io.varve.cache.internal.mapreduce;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.LogIo;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Where tables go that memory cannot hold: to a store that ends with the job, in records as
/// [RunRecord] defines them. It is made when the first run is, and encrypted with a key that
/// nothing but it knows: what a job reads may come from a store that is encrypted, of which a job
/// that was killed must leave nothing in clear. Safe for threads, each of which writes runs of its
/// own.
///
/// @param <K> the keys
/// @param <V> the values
public final class Spill<K, V> implements AutoCloseable {
  /// The store forgets pages that it has written beyond these: runs are written once, and read
  /// once.
  private static final long CACHE_BYTES_MAX = 64 << 20;

  private static final int KEY_BYTES = 32;

  /// Runs that are merged together, each of which takes a leaf of memory: together about 2 MB.
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
  private @Nullable SpillDirectory directory; // guarded by this

  // Of tables; runs that are made of runs count only as time.
  public final LongAdder tables = new LongAdder();
  public final LongAdder pairs = new LongAdder();
  public final LongAdder bytes = new LongAdder();
  public final LongAdder nanos = new LongAdder();

  public Spill(Plan<?, K, V, ?> plan) {
    this.plan = plan;
  }

  private synchronized Space open() {
    Space open = space;
    if (open == null) {
      SpillDirectory made = directory;
      if (made == null) { // or the open has failed before, of another thread
        made = SpillDirectory.create(plan.directory());
        directory = made;
      }
      Store opened = Store.open(made.content(), options());
      store = opened;
      open = opened.space("runs");
      space = open;
    }
    return open;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private synchronized int newRun() {
    return runCount++;
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
        .log(log ->
            log.io(LogIo.BUFFERED)
                .bufferBytes(LOG_BUFFER_BYTES)
                .segmentBytes(LOG_SEGMENT_BYTES)
                .bytesMax(LOG_BYTES_MAX)
                .flushInterval(Duration.ofMinutes(1)))
        .cacheBytes(cacheBytes);
  }

  /// Writes a table, which is empty then.
  ///
  /// @param check called for each record; throws if the job has ended
  public void write(WorkerTable<K, V> table, Runnable check) {
    bytes.add(write(new TableRun<>(table, plan.keys()), check));
    pairs.add(table.size());
    tables.increment();
    table.clear();
  }

  /// Writes a run, in as many records for each key as its values take.
  ///
  /// @return its bytes
  private long write(SortedRun<K, V> sorted, Runnable check) {
    long start = System.nanoTime();
    Space runs = open();
    int run = newRun();
    long written = 0;
    while (sorted.next()) {
      byte[] storedKey = sorted.storedKey();
      K key = sorted.key();
      Iterator<V> values = sorted.values();
      for (int part = 0; values.hasNext(); part++) {
        check.run();
        byte[] recordKey = RunRecord.recordKey(run, storedKey, part);
        byte[] value =
            RunRecord.recordValue(storedKey, part, key, values, plan.keys(), plan.values());
        runs.put(recordKey, value);
        written += recordKey.length + value.length;
      }
    }
    nanos.add(System.nanoTime() - start);
    return written;
  }

  /// The runs so far. It waits for no thread that writes one.
  public int count() {
    return runCount;
  }

  /// All that was written, in runs few enough to merge together: where there are more, as many as
  /// that are made one, the oldest first. When no thread writes any more.
  ///
  /// @param check as for [#write]
  public List<SortedRun<K, V>> runs(Runnable check) {
    int first = 0;
    while (runCount - first > RUNS_MAX) {
      write(new MergedRun<>(plan, runs(first, first + RUNS_MAX)), check);
      first += RUNS_MAX;
    }
    return runs(first, runCount);
  }

  private List<SortedRun<K, V>> runs(int from, int to) {
    List<SortedRun<K, V>> all = new ArrayList<>();
    Space runs = open();
    for (int number = from; number < to; number++) {
      Cursor cursor = runs.cursor(Range.prefix(RunRecord.runPrefix(number)));
      all.add(new RecordRun<>(new Spilled(cursor), plan.keys(), plan.values()));
    }
    return all;
  }

  /// The records of a run in the store.
  private record Spilled(Cursor cursor) implements Records {
    @Override
    public boolean next() {
      return cursor.next();
    }

    @Override
    public byte[] key() {
      return cursor.key();
    }

    @Override
    public byte[] value() {
      return cursor.value();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  /// Removes all of it from the disk.
  @Override
  public synchronized void close() {
    try {
      if (store != null) {
        store.close();
      }
    } finally {
      if (directory != null) {
        directory.close();
      }
    }
  }
}
