package io.varve.bench.words;

import io.varve.Store;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.JarVersion;
import io.varve.bench.engine.Promise;
import io.varve.cache.StorageMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.infinispan.Cache;

/// What can count the words of texts.
///
/// @param label the name on the command line and in the results
/// @param artifact a class of it
/// @param settings in words
/// @param opening opens it in an empty directory
public record TextsType(
    String label, Class<?> artifact, String settings, Function<EngineSettings, Texts> opening)
    implements EngineType {
  /// All of them.
  public static final List<EngineType> ALL =
      List.of(
          new TextsType(
              "cache-heap",
              Store.class,
              "a cache in mode HEAP, MapReduce over its stream",
              settings -> new CachedTexts(StorageMode.HEAP, settings)),
          new TextsType(
              "cache-pages",
              Store.class,
              "a cache in mode PAGES, MapReduce over its stream",
              settings -> new CachedTexts(StorageMode.PAGES, settings)),
          new TextsType(
              "infinispan-streams",
              Cache.class,
              "an embedded local cache, collect of the parallel stream of its values",
              _ -> new InfinispanTexts()),
          new TextsType(
              "concurrent-map",
              Object.class,
              "a ConcurrentHashMap of byte arrays, collect of the parallel stream of its values",
              _ -> new MapTexts()));

  /// The one of that label, if there is one.
  public static Optional<EngineType> find(String label) {
    return ALL.stream().filter(type -> type.label().equals(label)).findFirst();
  }

  @Override
  public String version() {
    return artifact == Object.class ? "java " + Runtime.version() : JarVersion.of(artifact);
  }

  @Override
  public String describe(Promise promise) {
    return settings;
  }

  @Override
  public Set<Feature> features() {
    return Set.of();
  }

  @Override
  public Texts open(EngineSettings engineSettings) {
    return opening.apply(engineSettings);
  }
}
