package io.varve.bench.engine;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// RocksDB: a log-structured merge tree in native code.
final class RocksDbEngine implements Engine {
  private static final long WRITE_BUFFER_BYTES_MAX = 64L << 20;
  private static final long WHOLE_FILTER_CACHE_BYTES_MIN = 64L << 20;
  private static final int VALUE_BYTES_FIRST = 1024;

  private final BloomFilter filter = new BloomFilter(10);

  /// How often the log is written where a timer does it.
  static final int FLUSH_INTERVAL_MILLIS = 100;

  private final Cache cache;
  private final Options options;
  private final WriteOptions writeOptions;
  private final RocksDB db;
  private final @Nullable ScheduledExecutorService logFlusher;

  static {
    RocksDB.loadLibrary();
  }

  /// @param variant sets what variants differ in
  /// @param flushesLogByTimer whether commits wait for no write of the log
  RocksDbEngine(Consumer<Options> variant, boolean flushesLogByTimer, EngineSettings settings) {
    cache = new LRUCache(settings.cacheBytes());
    options = options(variant, settings);
    boolean noLog = settings.promise() == Promise.FAST && !flushesLogByTimer;
    writeOptions =
        new WriteOptions().setSync(settings.promise() == Promise.DISK).setDisableWAL(noLog);
    try {
      db = RocksDB.open(options, settings.directory().toString());
    } catch (RocksDBException e) {
      throw new EngineException(e);
    }
    logFlusher = flushesLogByTimer ? startLogFlusher() : null;
  }

  private Options options(Consumer<Options> variant, EngineSettings settings) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setFilterPolicy(filter)
            .setBlockSize(4096)
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
            .setCacheIndexAndFilterBlocks(true);
    if (settings.cacheBytes() < WHOLE_FILTER_CACHE_BYTES_MIN) {
      table.setIndexType(IndexType.kTwoLevelIndexSearch).setPartitionFilters(true);
    }
    Options result =
        new Options()
            .setCreateIfMissing(true)
            .setTableFormatConfig(table)
            .setWriteBufferSize(Math.min(WRITE_BUFFER_BYTES_MAX, settings.cacheBytes() / 4))
            .setMaxWriteBufferNumber(4)
            .setIncreaseParallelism(2);
    if (settings.promise() != Promise.FAST) {
      result.setRecycleLogFileNum(4);
    }
    variant.accept(result);
    return result;
  }

  private ScheduledExecutorService startLogFlusher() {
    ScheduledExecutorService flusher =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("rocksdb-log-flusher").factory());
    int interval = FLUSH_INTERVAL_MILLIS;
    var _ =
        flusher.scheduleAtFixedRate(
            () -> unchecked(() -> db.flushWal(false)), interval, interval, TimeUnit.MILLISECONDS);
    return flusher;
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void settle() {
    unchecked(() -> {
      try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
        db.flush(flush);
      }
      db.compactRange();
    });
  }

  @Override
  public void close() {
    if (logFlusher != null) {
      logFlusher.close();
    }
    unchecked(db::closeE);
    options.close();
    writeOptions.close();
    cache.close();
    filter.close();
  }

  @FunctionalInterface
  private interface Call {
    void run() throws RocksDBException;
  }

  private static void unchecked(Call call) {
    try {
      call.run();
    } catch (RocksDBException e) {
      throw new EngineException(e);
    }
  }

  private final class Session implements EngineSession {
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteBatch writeBatch = new WriteBatch();
    private final byte[] key = new byte[EngineSettings.KEY_BYTES];
    private byte[] value = new byte[VALUE_BYTES_FIRST];
    private @Nullable RocksIterator iterator;

    private final Batch.Changes<RocksDBException> batched =
        new Batch.Changes<>() {
          @Override
          public void put(byte[] key, byte[] value) throws RocksDBException {
            writeBatch.put(key, value);
          }

          @Override
          public void delete(byte[] key) throws RocksDBException {
            writeBatch.delete(key);
          }
        };

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      try {
        int length = db.get(readOptions, key, value);
        if (length == RocksDB.NOT_FOUND) {
          return false;
        }
        if (length > value.length) {
          value = new byte[length];
          db.get(readOptions, key, value);
        }
        sink.value(value, length);
        return true;
      } catch (RocksDBException e) {
        throw new EngineException(e);
      }
    }

    @Override
    public void getAll(List<byte[]> keys, IndexedSink sink) {
      try {
        give(db.multiGetAsList(readOptions, keys), sink);
      } catch (RocksDBException e) {
        throw new EngineException(e);
      }
    }

    @Override
    public void put(byte[] key, byte[] value) {
      unchecked(() -> db.put(writeOptions, key, value));
    }

    @Override
    public void delete(byte[] key) {
      unchecked(() -> db.delete(writeOptions, key));
    }

    @Override
    public void commit(Batch batch) {
      unchecked(() -> {
        writeBatch.clear();
        batch.forEach(batched);
        db.write(writeOptions, writeBatch);
      });
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      RocksIterator entries = freshIterator();
      entries.seek(from);
      while (entries.isValid() && give(entries, sink)) {
        entries.next();
      }
      unchecked(entries::status);
    }

    @Override
    public void forward(EntrySink sink) {
      RocksIterator entries = freshIterator();
      entries.seekToFirst();
      while (entries.isValid() && give(entries, sink)) {
        entries.next();
      }
      unchecked(entries::status);
    }

    @Override
    public void backward(EntrySink sink) {
      RocksIterator entries = freshIterator();
      entries.seekToLast();
      while (entries.isValid() && give(entries, sink)) {
        entries.prev();
      }
      unchecked(entries::status);
    }

    /// One iterator for the life of the session: to refresh it is cheaper than to make one.
    private RocksIterator freshIterator() {
      RocksIterator entries = iterator;
      if (entries == null) {
        entries = db.newIterator(readOptions);
        iterator = entries;
      } else {
        unchecked(entries::refresh);
      }
      return entries;
    }

    private boolean give(RocksIterator entries, EntrySink sink) {
      entries.key(key);
      int length = entries.value(value);
      if (length > value.length) {
        value = new byte[length];
        entries.value(value);
      }
      return sink.entry(key, value, length);
    }

    @Override
    public void close() {
      if (iterator != null) {
        iterator.close();
      }
      writeBatch.close();
      readOptions.close();
    }
  }
}
