package io.varve.bench.table;

import io.varve.Range;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.report.Metric;
import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/// What items cost: bytes of each on disk and in memory, for three kinds of sets, and the rate of
/// retrieval from one that is in memory.
final class ItemFigures {
  private static final int LOB_SHARE = 50;

  /// 40 bytes, as a component.
  private static final String PREFIX = "x".repeat(38);

  private ItemFigures() {}

  static void run(TableRun run) {
    int size = run.plan().size();
    long[] order = shuffled(size);
    set(run, "plain", size, i -> Item.of(order[(int) i]), true);
    set(run, "shared prefix of 40", size, i -> Item.of(PREFIX, order[(int) i]), false);
    byte[] chunk = new byte[ItemSpace.CHUNK_LENGTH];
    SplittableRandom random = new SplittableRandom(1);
    set(
        run,
        "long object",
        Math.max(1, size / LOB_SHARE),
        i -> {
          random.nextBytes(chunk);
          return Item.builder().string("picture").index(i).bytes(chunk).build();
        },
        false);
  }

  private static long[] shuffled(int size) {
    long[] order = new long[size];
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < size; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }

  private static void set(
      TableRun run, String name, int size, LongFunction<Item> items, boolean retrieves) {
    StoreOptions options = StoreOptions.defaults().cacheBytes(run.plan().cacheBytes());
    try (ScratchDirectory data = run.directory().inner("items")) {
      try (Store store = Store.open(data.path(), options)) {
        ItemSpace set = store.items("items");
        for (long i = 0; i < size; i++) {
          set.insert(items.apply(i));
        }
        set.commit();
      }
      // Opened again, so that the cache holds these pages and nothing else.
      try (Store store = Store.open(data.path(), options)) {
        double disk = store.space("items").approximateBytes(Range.all());
        run.rows().accept("on disk: " + name, 1, Metric.SIZE, disk / size);
        ItemSpace set = store.items("items");
        requireAll(set, size);
        double memory = store.statistics().cache().usedBytes();
        run.rows().accept("in memory: " + name, 1, Metric.SIZE, memory / size);
        if (retrieves) {
          retrieve(run, set, size);
        }
      }
    }
  }

  private static void requireAll(ItemSpace set, int size) {
    long found = 0;
    ItemCursor cursor = set.cursor();
    while (cursor.next()) {
      found++;
    }
    if (found != size) {
      throw new WrongAnswerException("items are missing: expected=" + size + ", found=" + found);
    }
  }

  private static void retrieve(TableRun run, ItemSpace set, int size) {
    ItemCursor nearest = set.cursor();
    SplittableRandom random = new SplittableRandom(3);
    Item.Builder builder = Item.builder();
    double first =
        Cell.rate(
                1,
                run.plan().timing(),
                Cell.Observer.NONE,
                _ ->
                    () -> {
                      long wanted = random.nextLong(size);
                      if (!nearest.first(builder.clear().int64(wanted).build())
                          || nearest.longAt(0) != wanted) {
                        throw new WrongAnswerException("an item is missing: item=" + wanted);
                      }
                    })
            .rate();
    run.rows().accept("first at or after", 1, Metric.RATE, first);
    ItemCursor scan = set.cursor();
    double next =
        Cell.rate(
                1,
                run.plan().timing(),
                Cell.Observer.NONE,
                _ ->
                    () -> {
                      if (!scan.next()) {
                        scan.first();
                      }
                    })
            .rate();
    run.rows().accept("next", 1, Metric.RATE, next);
  }
}
