package io.varve.bench.engine;

import java.util.List;
import java.util.stream.Collectors;

/// Every store that can be measured.
public final class Engines {
  /// The label of the store that the others are compared with.
  public static final String VARVE = "varve";

  /// The label of the same store, encrypted.
  public static final String VARVE_ENCRYPTED = "varve-encrypted";

  /// Varve with its pages compressed.
  private static final List<EngineType> COMPRESSED =
      List.of(
          VarveEngine.Type.compressed("deflate"),
          VarveEngine.Type.compressed("lz4"),
          VarveEngine.Type.compressed("zstd"),
          VarveEngine.Type.compressed("zstd", 32));

  private static final EngineType LMDB = new LmdbEngine.Type("lmdb", false);
  private static final EngineType MVSTORE = new MvStoreEngine.Type(MvStoreEngine.Compression.NONE);
  private static final EngineType XODUS = new XodusEngine.Type();

  private static final List<EngineType> ALL =
      List.of(
          VarveEngine.Type.plain(),
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
          new SoftIndexFileEngine.Type(),
          new SkipListEngine.Type(),
          VarveEngine.Type.sealed(),
          COMPRESSED.get(0),
          COMPRESSED.get(1),
          COMPRESSED.get(2),
          COMPRESSED.get(3),
          new MvStoreEngine.Type(MvStoreEngine.Compression.LZF),
          new MvStoreEngine.Type(MvStoreEngine.Compression.DEFLATE));

  private Engines() {}

  /// Every store, Varve first.
  public static List<EngineType> all() {
    return ALL;
  }

  /// Whether it is Varve with its pages compressed, and so no peer of it.
  public static boolean isVarveCompressed(EngineType type) {
    return COMPRESSED.contains(type);
  }

  /// The store of that label.
  ///
  /// @throws IllegalArgumentException if there is none
  public static EngineType named(String label) {
    return ALL.stream()
        .filter(type -> type.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknown(label)));
  }

  private static String unknown(String label) {
    String known = ALL.stream().map(EngineType::label).collect(Collectors.joining(", "));
    return "unknown engine: engine=" + label + "; known are " + known;
  }
}
