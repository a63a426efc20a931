package io.varve.bench.engine;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ehcache.Cache;

/// Every store that can be measured.
public final class Engines {
  /// The labels of the same store with other policies of retention.
  public static final List<String> VARVE_POLICIES =
      VarveVariants.POLICIES.stream().map(EngineType::label).toList();

  private static final EngineType LMDB = new LmdbEngine.Type("lmdb", false);
  private static final EngineType MVSTORE = new MvStoreEngine.Type(MvStoreEngine.Compression.NONE);
  private static final EngineType XODUS = new XodusEngine.Type();

  private static final List<EngineType> ALL =
      Stream.<List<EngineType>>of(
              List.of(
                  VarveVariants.DEFAULT,
                  RocksDbVariant.PLAIN,
                  RocksDbVariant.LZ4,
                  RocksDbVariant.ZSTD,
                  RocksDbVariant.WAL_BUFFER,
                  RocksDbVariant.BLOB,
                  LMDB,
                  new LmdbEngine.Type("lmdb-writemap", true),
                  new GroupCommitEngine.Type(LMDB),
                  MVSTORE,
                  new GroupCommitEngine.Type(MVSTORE),
                  XODUS,
                  new GroupCommitEngine.Type(XODUS),
                  new MapDbEngine.Type(),
                  new ChronicleMapEngine.Type(),
                  new InfinispanEngine.Type(InfinispanStore.SOFT_INDEX),
                  new InfinispanEngine.Type(InfinispanStore.VARVE),
                  new InfinispanEngine.Type(InfinispanStore.SINGLE_FILE),
                  new InfinispanEngine.Type(InfinispanStore.ROCKSDB),
                  new IgniteEngine.Type(),
                  new SkipListEngine.Type(),
                  VarveVariants.ENCRYPTED,
                  VarveVariants.BUFFERED,
                  VarveVariants.MAPPED,
                  new VarveEngine.MemoryType()),
              VarveVariants.POLICIES,
              VarveVariants.PAGE_SIZES,
              VarveVariants.COMPRESSED,
              List.of(
                  new MvStoreEngine.Type(MvStoreEngine.Compression.LZF),
                  new MvStoreEngine.Type(MvStoreEngine.Compression.DEFLATE),
                  new PagedEngine.Type(
                      "caffeine-pages",
                      Caffeine.class,
                      "pages in a file, W-TinyLFU over as many as the cache has capacity for",
                      CaffeinePages::new),
                  new PagedEngine.Type(
                      "ehcache-pages",
                      Cache.class,
                      "pages as entries of a disk tier, as many on the heap as the cache has"
                          + " capacity for",
                      EhcachePages::new)))
          .flatMap(List::stream)
          .toList();

  private Engines() {}

  /// Every store, Varve first.
  public static List<EngineType> all() {
    return ALL;
  }

  /// Varve with each way to share forces of the log that is not its default.
  public static List<EngineType> groupings() {
    return VarveVariants.GROUPINGS;
  }

  /// The store of that label, if there is one.
  public static Optional<EngineType> find(String label) {
    return Stream.concat(ALL.stream(), groupings().stream())
        .filter(type -> type.label().equals(label))
        .findFirst();
  }
}
