package io.varve.bench.words;

import io.varve.Store;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.JarVersion;
import io.varve.bench.engine.Promise;
import io.varve.cache.StorageMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.infinispan.Cache;

/// What can count the words of texts.
///
/// @param label the name on the command line and in the results
/// @param artifact a class of it
/// @param settings in words
/// @param opening opens it
public record TextsType(String label, Class<?> artifact, String settings, Opening opening)
    implements EngineType {
  /// Those of one process.
  static final List<EngineType> CACHES =
      List.of(
          new TextsType(
              "cache-heap",
              Store.class,
              "a cache in mode HEAP, MapReduce over its stream",
              (directory, _) -> new CachedTexts(StorageMode.HEAP, directory)),
          new TextsType(
              "cache-pages",
              Store.class,
              "a cache in mode PAGES, MapReduce over its stream",
              (directory, _) -> new CachedTexts(StorageMode.PAGES, directory)),
          new TextsType(
              "infinispan-streams",
              Cache.class,
              "an embedded local cache, collect of the parallel stream of its values",
              (_, _) -> new InfinispanTexts()),
          new TextsType(
              "concurrent-map",
              Object.class,
              "a ConcurrentHashMap of byte arrays, collect of the parallel stream of its values",
              (_, _) -> new MapTexts()));

  /// Those that may be of several.
  static final List<EngineType> CLUSTERS =
      List.of(
          new TextsType(
              "cluster-varve",
              Store.class,
              "a distributed cache of Infinispan over Varve, MapReduce over its nodes' pages",
              ClusterTexts::inVarve),
          new TextsType(
              "cluster-streams",
              Cache.class,
              "a distributed cache of Infinispan, collect of the parallel stream of its values on"
                  + " the heap",
              ClusterTexts::onHeap));

  /// All of them.
  public static final List<EngineType> ALL =
      Stream.concat(CACHES.stream(), CLUSTERS.stream()).toList();

  /// Opens texts.
  @FunctionalInterface
  interface Opening {
    /// Opens them, empty.
    ///
    /// @param directory an empty one
    /// @param nodes processes that share them, where there can be several
    Texts open(Path directory, int nodes);
  }

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
    return open(engineSettings.directory(), 1);
  }

  /// Opens them for some processes.
  Texts open(Path directory, int nodes) {
    return opening.open(directory, nodes);
  }
}
