/// Varve as a cache: a JCache provider whose entries live on the heap, in the pages of a store, or
/// both. Sees the store through its exported API alone.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // JCache is no module
module io.varve.cache {
  requires transitive io.varve;
  requires transitive cache.api;
  requires com.github.benmanes.caffeine;
  requires java.management;
  requires static org.jspecify;
  requires static org.yaml.snakeyaml; // for programs that have a file of caches

  exports io.varve.cache;
  exports io.varve.cache.mapreduce;

  uses io.varve.cache.MarshallerProvider;

  provides javax.cache.spi.CachingProvider with
      io.varve.cache.VarveCachingProvider;
}
