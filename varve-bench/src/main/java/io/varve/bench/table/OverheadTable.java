package io.varve.bench.table;

import io.varve.Store;
import io.varve.bench.cache.CacheSettings;
import io.varve.bench.cache.CacheType;
import io.varve.bench.cache.Caches;
import io.varve.bench.cache.ObjectCache;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.measure.ProcessUse;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.cache.StorageMode;
import java.util.List;
import java.util.SplittableRandom;

/// What an entry of a cache takes in addition to its key and value: bytes of the heap that stay
/// after collections, for each mode; where pages hold all, also bytes on disk, and bytes of the
/// heap outside of the pages' budget.
final class OverheadTable extends ModesTable {
  private static final int[] VALUE_BYTES = {512, 1 << 10, 2 << 10, 10 << 10, 100 << 10, 1 << 20};
  private static final int KEY_BYTES = 10;
  private static final double MEGABYTE = 1e6;

  /// What is measured with pages has a budget that the smaller of two amounts of data fills: what
  /// the larger takes more is outside of it.
  private static final int PARTS_OF_BUDGET = 8;

  private static final long BUDGET_BYTES_MIN = 1 << 20;

  @Override
  public String label() {
    return "overhead";
  }

  @Override
  public String description() {
    return "bytes that an entry of a cache takes in addition to its key of "
        + KEY_BYTES
        + " characters and its value: on the heap after collections, or on disk";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "varve",
        VarveLabels.LARGE_PAGES,
        "infinispan",
        "caffeine",
        "caffeine-jcache",
        "ehcache",
        "hash-map");
  }

  /// The size is in megabytes of keys and values.
  @Override
  public Plan plan() {
    return new Plan(List.of(1), List.of(1), Timing.seconds(0, 0), 100, 64L << 20, Promise.FAST);
  }

  /// Peers are measured on the heap alone.
  @Override
  List<StorageMode> modes(CacheType type) {
    if (type.label().equals(VarveLabels.LARGE_PAGES)) {
      return List.of(StorageMode.PAGES);
    }
    return isVarve(type) ? List.of(StorageMode.values()) : List.of(StorageMode.HEAP);
  }

  @Override
  public List<String> published() {
    return List.of("published for Infinispan, same method, 512 B to 1 MB: 135 to 151 B/entry");
  }

  @Override
  public List<Stage> stages() {
    return List.of(Stage.under(Collector.PARALLEL, this::run));
  }

  private void run(TableRun run) {
    CacheType type = Caches.of(run.type()).orElseThrow();
    new Fill(run, type, StorageMode.HEAP, VALUE_BYTES[0]).warmUp();
    for (StorageMode mode : modes(type)) {
      for (int valueBytes : VALUE_BYTES) {
        Fill fill = new Fill(run, type, mode, valueBytes);
        if (mode == StorageMode.PAGES) {
          fill.inPages();
        } else {
          fill.onHeap();
        }
      }
    }
  }

  /// A cache that is filled with entries of one size, and measured.
  private record Fill(TableRun run, CacheType type, StorageMode mode, int valueBytes) {
    private String caseName(String what) {
      String size =
          valueBytes < 1024
              ? valueBytes + " B"
              : valueBytes < 1 << 20 ? (valueBytes >> 10) + " KB" : "1 MB";
      return name(mode) + what + " " + size;
    }

    private int entries() {
      return Math.max(2, (int) (run.plan().size() * MEGABYTE / (valueBytes + KEY_BYTES)));
    }

    private ObjectCache open(ScratchDirectory data, int hot, long cacheBytes) {
      return type.open(
          new CacheSettings(mode, data.path(), hot, entries(), valueBytes, cacheBytes));
    }

    /// Loads classes and makes what is there once.
    void warmUp() {
      try (ScratchDirectory data = run.directory().inner("overhead");
          ObjectCache cache = open(data, entries(), budgetBytes())) {
        fill(cache, 0, Math.min(100, entries()));
      }
    }

    private long budgetBytes() {
      return Math.max(BUDGET_BYTES_MIN, (long) (run.plan().size() * MEGABYTE) / PARTS_OF_BUDGET);
    }

    /// All entries are on the heap. Where they are in pages as well, the first half fills the
    /// budget for these, and the second is measured.
    void onHeap() {
      try (ScratchDirectory data = run.directory().inner("overhead");
          ObjectCache cache = open(data, entries(), budgetBytes())) {
        int first = mode == StorageMode.HEAP ? 0 : entries() / 2;
        fill(cache, 0, first);
        long before = ProcessUse.heapBytesWhenStable();
        fill(cache, first, entries());
        long after = ProcessUse.heapBytesWhenStable();
        int measured = entries() - first;
        report(caseName(""), after - before - data(measured), measured);
        require(cache);
      }
    }

    private long data(int count) {
      return (long) count * (KEY_BYTES + valueBytes);
    }

    private void report(String caseName, long bytes, int count) {
      run.rows().accept(caseName, 1, Metric.OVERHEAD, bytes / (double) count);
    }

    private void fill(ObjectCache cache, int from, int to) {
      var random = new SplittableRandom(from);
      for (int entry = from; entry < to; entry++) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        cache.put(key(entry), value);
      }
    }

    private void require(ObjectCache cache) {
      if (cache.get(key(entries() - 1)) == null) {
        throw new IllegalStateException("an entry was dropped: case=" + caseName(""));
      }
    }

    /// Entries are in pages alone.
    void inPages() {
      try (ScratchDirectory data = run.directory().inner("overhead")) {
        try (ObjectCache cache = open(data, 1, budgetBytes())) {
          int half = entries() / 2;
          fill(cache, 0, half);
          long before = ProcessUse.heapBytesWhenStable();
          fill(cache, half, entries());
          long after = ProcessUse.heapBytesWhenStable();
          report(caseName(" outside of the budget"), after - before, entries() - half);
          require(cache);
        }
        long live;
        try (Store store = Store.open(data.path())) {
          store.compact();
          store.checkpoint();
          var statistics = store.statistics();
          live = statistics.disk().pageFileBytes() - statistics.disk().freeBytes();
        }
        report(caseName(" on disk"), live - data(entries()), entries());
      }
    }
  }
}
