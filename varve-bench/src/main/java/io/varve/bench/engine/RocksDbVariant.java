package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.Set;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/// The ways in which RocksDB is measured.
enum RocksDbVariant implements EngineType {
  PLAIN("rocksdb", "no compression", CompressionType.NO_COMPRESSION),
  LZ4("rocksdb-lz4", "LZ4 on all levels", CompressionType.LZ4_COMPRESSION),
  ZSTD("rocksdb-zstd", "Zstandard on all levels", CompressionType.ZSTD_COMPRESSION),
  WAL_BUFFER(
      "rocksdb-walbuffer",
      "no compression, manual_wal_flush, log given to the operating system every 100 ms",
      CompressionType.NO_COMPRESSION),
  BLOB("rocksdb-blob", "no compression, values in blob files", CompressionType.NO_COMPRESSION);

  private static final long BLOB_BYTES_MIN = 4096;

  private final String label;
  private final String distinction;
  private final CompressionType compression;

  RocksDbVariant(String label, String distinction, CompressionType compression) {
    this.label = label;
    this.distinction = distinction;
    this.compression = compression;
  }

  private void apply(Options options) {
    options.setCompressionType(compression).setBottommostCompressionType(compression);
    options.setManualWalFlush(this == WAL_BUFFER);
    if (this == BLOB) {
      options.setEnableBlobFiles(true).setMinBlobSize(BLOB_BYTES_MIN);
    }
  }

  boolean flushesLogByTimer() {
    return this == WAL_BUFFER;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String version() {
    return JarVersion.of(RocksDB.class);
  }

  @Override
  public String describe(Promise promise) {
    String settings =
        "LRU block cache, Bloom 10 bits, 4 KiB blocks, binary+hash data-block index, index and"
            + " filter in cache (partitioned below 64 MiB), write buffer 64 MiB x4 (a quarter of"
            + " the cache if less), parallelism 2, "
            + distinction
            + "; ";
    return switch (promise) {
      case DISK -> settings + "sync=true, 4 recycled log files";
      case OS -> settings + "sync=false, 4 recycled log files";
      case FAST -> settings + (flushesLogByTimer() ? "sync=false" : "disableWAL");
    };
  }

  @Override
  public Set<Feature> features() {
    if (flushesLogByTimer()) {
      return EnumSet.of(
          Feature.ORDERED, Feature.ATOMIC_BATCH, Feature.COMMIT_IN_BACKGROUND, Feature.PERSISTENT);
    }
    return EnumSet.of(
        Feature.ORDERED,
        Feature.ATOMIC_BATCH,
        Feature.COMMIT_TO_DISK,
        Feature.COMMIT_TO_OS,
        Feature.COMMIT_IN_BACKGROUND,
        Feature.WRITE_AHEAD_LOG,
        Feature.PERSISTENT,
        Feature.LARGE_VALUES);
  }

  @Override
  public Engine open(EngineSettings settings) {
    return new RocksDbEngine(this::apply, flushesLogByTimer(), settings);
  }
}
