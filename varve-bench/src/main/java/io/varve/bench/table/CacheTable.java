package io.varve.bench.table;

import io.varve.bench.cache.CacheSettings;
import io.varve.bench.cache.CacheType;
import io.varve.bench.cache.Caches;
import io.varve.bench.cache.ObjectCache;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.cache.StorageMode;
import java.util.List;
import java.util.stream.IntStream;

/// Caches of objects: mostly reads of popular entries, the number of entries, and iteration. Each
/// mode is measured in a JVM of its own.
final class CacheTable extends ModesTable {
  private static final List<StorageMode> MODES =
      List.of(StorageMode.HEAP, StorageMode.TIERED, StorageMode.PAGES);

  private static final int VALUE_BYTES = 1_000;

  /// Of so many entries one is on the heap, where there are tiers.
  private static final int ENTRIES_PER_HOT = 10;

  /// Far below the data, so that pages are read from files, as those of others are.
  private static final long CACHE_BYTES = 64L << 20;

  @Override
  public String label() {
    return "cache";
  }

  @Override
  public String description() {
    return "a cache of strings and byte arrays of "
        + VALUE_BYTES
        + " bytes: YCSB-B, size and iteration; on the heap; in tiers with a tenth of the entries"
        + " on the heap; in pages or files alone";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "caffeine-jcache", "ehcache", "infinispan");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2), List.of(1), Timing.seconds(3, 5), 1_000_000, CACHE_BYTES, Promise.FAST);
  }

  @Override
  List<StorageMode> modes(CacheType type) {
    return MODES.stream().filter(type.modes()::contains).toList();
  }

  @Override
  public List<Stage> stages() {
    return MODES.stream().<Stage>map(mode -> run -> run(run, mode)).toList();
  }

  private void run(TableRun run, StorageMode mode) {
    CacheType type = Caches.of(run.type()).orElseThrow();
    if (!modes(type).contains(mode)) {
      return;
    }
    int size = run.plan().size();
    long hot = mode == StorageMode.HEAP ? size : Math.max(1, size / ENTRIES_PER_HOT);
    String[] keys = keys(size);
    var records = new Records(KeyOrder.HASHED, VALUE_BYTES, size);
    try (ScratchDirectory data = run.directory().inner("cache");
        ObjectCache cache =
            type.open(
                new CacheSettings(
                    mode, data.path(), hot, size, VALUE_BYTES, run.plan().cacheBytes()))) {
      var cells = new CacheCells(name(mode), run.plan(), cache, keys, records, run.rows());
      cells.load();
      cells.readMostly();
      cells.size();
      cells.iterate();
    }
  }

  private static String[] keys(int count) {
    return IntStream.range(0, count).mapToObj(ModesTable::key).toArray(String[]::new);
  }
}
