package io.varve.bench.engine;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Varve, through its public API.
final class VarveEngine implements Engine {
  private final Store store;
  private final Space space;

  private VarveEngine(Store store) {
    this.store = store;
    space = store.space("bench");
  }

  private static StoreOptions options(EngineSettings settings) {
    return StoreOptions.defaults()
        .durability(durability(settings.promise()))
        .cacheBytes(settings.cacheBytes());
  }

  private static Durability durability(Promise promise) {
    return switch (promise) {
      case DISK -> Durability.POWER_LOSS;
      case OS -> Durability.PROCESS_CRASH;
      case FAST -> Durability.BACKGROUND;
    };
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void settle() {
    store.checkpoint();
  }

  @Override
  public void compact() {
    store.checkpoint();
    store.compact();
  }

  /// The reserve is released when the disk is full.
  @Override
  public List<String> spareFiles() {
    return List.of("reserve");
  }

  @Override
  public OptionalLong forces() {
    return OptionalLong.of(store.statistics().log().forces());
  }

  @Override
  public PageUse pageUse() {
    Statistics statistics = store.statistics();
    return new PageUse(statistics.cache().hits(), statistics.cache().loads());
  }

  @Override
  public void close() {
    store.close();
  }

  private final class Session implements EngineSession {
    private final byte[] keyBuffer = new byte[EngineSettings.KEY_BYTES];
    private byte[] valueBuffer = new byte[1024];

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = space.get(key);
      if (value == null) {
        return false;
      }
      sink.value(value, value.length);
      return true;
    }

    @Override
    public void getAll(List<byte[]> keys, IndexedSink sink) {
      give(space.getAll(keys), sink);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      space.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      space.delete(key);
    }

    @Override
    public void commit(Batch batch) {
      try (Transaction transaction = store.begin()) {
        batch.forEach(new Change(transaction, space));
        transaction.commit();
      }
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      try (Cursor cursor = space.cursor(Range.atLeast(from))) {
        boolean more = true;
        while (more && cursor.next()) {
          more = give(cursor, sink);
        }
      }
    }

    @Override
    public void forward(EntrySink sink) {
      try (Cursor cursor = space.cursor(Range.all())) {
        boolean more = true;
        while (more && cursor.next()) {
          more = give(cursor, sink);
        }
      }
    }

    @Override
    public void backward(EntrySink sink) {
      try (Cursor cursor = space.cursor(Range.all())) {
        boolean more = cursor.last();
        while (more && give(cursor, sink)) {
          more = cursor.previous();
        }
      }
    }

    @Override
    public void close() {}

    private boolean give(Cursor cursor, EntrySink sink) {
      cursor.readKey(keyBuffer);
      int length = cursor.readValue(valueBuffer);
      if (length > valueBuffer.length) {
        valueBuffer = new byte[length];
        cursor.readValue(valueBuffer);
      }
      return sink.entry(keyBuffer, valueBuffer, length);
    }
  }

  private record Change(Transaction transaction, Space space)
      implements Batch.Changes<RuntimeException> {
    @Override
    public void put(byte[] key, byte[] value) {
      transaction.put(space, key, value);
    }

    @Override
    public void delete(byte[] key) {
      transaction.delete(space, key);
    }
  }

  /// Varve in one of its ways.
  ///
  /// @param label the name on the command line and in the results
  /// @param difference to the defaults, in words; empty if there is none
  /// @param change makes that difference
  record Type(String label, String difference, UnaryOperator<StoreOptions> change)
      implements EngineType {
    @Override
    public boolean isVariant() {
      return !label.equals(VarveLabels.VARVE);
    }

    @Override
    public String version() {
      return JarVersion.of(Store.class);
    }

    @Override
    public String describe(Promise promise) {
      return "defaults, cache on the heap; durability " + durability(promise) + difference;
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.complementOf(EnumSet.of(Feature.ONE_VALUE_LENGTH));
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new VarveEngine(Store.open(settings.directory(), change.apply(options(settings))));
    }
  }

  /// Varve in memory alone: what its commits cost without a log.
  record MemoryType() implements EngineType {
    @Override
    public String label() {
      return "varve-memory";
    }

    @Override
    public boolean isVariant() {
      return true;
    }

    @Override
    public String version() {
      return JarVersion.of(Store.class);
    }

    @Override
    public String describe(Promise promise) {
      return "a store in memory, without a log: promises nothing, a ceiling";
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(Feature.ORDERED, Feature.ATOMIC_BATCH, Feature.LARGE_VALUES);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new VarveEngine(Store.inMemory(options(settings)));
    }
  }
}
