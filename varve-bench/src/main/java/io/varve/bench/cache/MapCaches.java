package io.varve.bench.cache;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.varve.bench.engine.JarVersion;
import io.varve.cache.StorageMode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// Maps of the process: what a cache costs can be seen against them.
enum MapCaches implements CacheType {
  CAFFEINE(
      "caffeine",
      JarVersion.of(Caffeine.class),
      "by reference, maximumSize",
      settings ->
          Caffeine.newBuilder()
              .maximumSize(settings.hotEntries())
              .executor(Runnable::run)
              .<String, byte[]>build()
              .asMap()),

  CONCURRENT_HASH_MAP(
      "hash-map",
      "ConcurrentHashMap of the JDK",
      "by reference, no bound",
      _ -> new ConcurrentHashMap<>());

  private final String label;
  private final String version;
  private final String description;
  private final Function<CacheSettings, ConcurrentMap<String, byte[]>> maker;

  MapCaches(
      String label,
      String version,
      String description,
      Function<CacheSettings, ConcurrentMap<String, byte[]>> maker) {
    this.label = label;
    this.version = version;
    this.description = description;
    this.maker = maker;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Set<StorageMode> modes() {
    return Set.of(StorageMode.HEAP);
  }

  @Override
  public String describe(StorageMode mode) {
    return description;
  }

  @Override
  public ObjectCache open(CacheSettings settings) {
    return new MapObjects(maker.apply(settings), () -> {});
  }
}
