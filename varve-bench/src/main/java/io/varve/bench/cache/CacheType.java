package io.varve.bench.cache;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.cache.StorageMode;
import java.util.Set;

/// A cache that can be measured: its name, its settings in words, the modes that it has. Also a
/// store, in that mode of them that [StorageMode] names first.
public interface CacheType extends EngineType {
  /// Where it can keep its entries.
  Set<StorageMode> modes();

  /// The settings of a mode.
  String describe(StorageMode mode);

  /// Opens an empty cache.
  ObjectCache open(CacheSettings settings);

  @Override
  default Set<Feature> features() {
    return Set.of(Feature.CACHES);
  }

  @Override
  default String describe(Promise promise) {
    return describe(firstMode());
  }

  @Override
  default Engine open(EngineSettings settings) {
    return new CacheEngine(
        open(
            new CacheSettings(
                firstMode(),
                settings.directory(),
                settings.entriesMax(),
                settings.entriesMax(),
                settings.valueBytes(),
                settings.cacheBytes())));
  }

  private StorageMode firstMode() {
    return modes().stream().sorted().findFirst().orElseThrow();
  }
}
