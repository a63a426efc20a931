package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/// H2's MVStore: a copy-on-write B-tree on the heap, written in chunks.
final class MvStoreEngine implements Engine {
  private static final int AUTO_COMMIT_BYTES_MAX = 32 << 20;
  private static final int COMPACTION_MILLIS_MAX = 5_000;

  private final MVStore store;
  private final MVMap<byte[], byte[]> map;
  private final Promise promise;
  private final WholeStoreCommit commit;

  /// How its chunks are compressed.
  enum Compression {
    NONE,
    LZF,
    DEFLATE;

    private MVStore.Builder over(MVStore.Builder builder) {
      return switch (this) {
        case NONE -> builder;
        case LZF -> builder.compress();
        case DEFLATE -> builder.compressHigh();
      };
    }
  }

  private MvStoreEngine(EngineSettings settings, Compression compression) {
    promise = settings.promise();
    MVStore.Builder builder =
        new MVStore.Builder()
            .fileName(settings.directory().resolve("mvstore.db").toString())
            .cacheSize(Math.toIntExact(Math.max(1, settings.cacheBytes() >> 20)));
    if (promise == Promise.FAST) {
      long bufferBytes = Math.min(AUTO_COMMIT_BYTES_MAX, settings.cacheBytes() / 4);
      builder.autoCommitBufferSize(Math.toIntExact(bufferBytes >> 10));
    } else {
      builder.autoCommitDisabled();
    }
    store = compression.over(builder).open();
    map =
        store.openMap(
            "bench",
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayType.INSTANCE)
                .valueType(ByteArrayType.INSTANCE));
    commit = new WholeStoreCommit(store::commit);
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void compact() {
    store.commit();
    store.compactFile(COMPACTION_MILLIS_MAX);
  }

  @Override
  public void close() {
    store.close();
  }

  private void change(Runnable changes) {
    if (promise == Promise.FAST) {
      changes.run();
      return;
    }
    commit.change(changes);
    if (promise == Promise.DISK) {
      store.sync();
    }
  }

  private final class Session implements EngineSession {
    /// Keys and values are kept by reference, so the caller's arrays are copied.
    private final Batch.Changes<RuntimeException> uncommitted =
        new Batch.Changes<>() {
          @Override
          public void put(byte[] key, byte[] value) {
            map.put(key.clone(), value.clone());
          }

          @Override
          public void delete(byte[] key) {
            map.remove(key);
          }
        };

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = map.get(key);
      if (value == null) {
        return false;
      }
      sink.value(value, value.length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      change(() -> uncommitted.put(key, value));
    }

    @Override
    public void delete(byte[] key) {
      change(() -> uncommitted.delete(key));
    }

    @Override
    public void commit(Batch batch) {
      change(() -> batch.forEach(uncommitted));
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      pour(map.cursor(from), sink);
    }

    @Override
    public void forward(EntrySink sink) {
      pour(map.cursor(null), sink);
    }

    @Override
    public void backward(EntrySink sink) {
      pour(map.cursor(null, null, true), sink);
    }

    @Override
    public void close() {}

    private static void pour(Cursor<byte[], byte[]> cursor, EntrySink sink) {
      while (cursor.hasNext()) {
        byte[] key = cursor.next();
        byte[] value = cursor.getValue();
        if (!sink.entry(key, value, value.length)) {
          return;
        }
      }
    }
  }

  record Type(Compression compression) implements EngineType {
    @Override
    public String label() {
      return compression == Compression.NONE
          ? "mvstore"
          : "mvstore-" + compression.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String version() {
      return JarVersion.of(MVStore.class);
    }

    @Override
    public String describe(Promise promise) {
      String settings =
          "byte[] type in unsigned order, hands out references to its cache, compression "
              + compression
              + "; ";
      return switch (promise) {
        case DISK -> settings + "commit() and sync() each";
        case OS -> settings + "commit() each";
        case FAST ->
            settings + "background auto-commit: 1 s or 32 MiB (a quarter of the cache if less)";
      };
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(
          Feature.ORDERED,
          Feature.ATOMIC_BATCH,
          Feature.COMMIT_TO_DISK,
          Feature.COMMIT_TO_OS,
          Feature.COMMIT_IN_BACKGROUND,
          Feature.PERSISTENT,
          Feature.LARGE_VALUES);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new MvStoreEngine(settings, compression);
    }
  }
}
