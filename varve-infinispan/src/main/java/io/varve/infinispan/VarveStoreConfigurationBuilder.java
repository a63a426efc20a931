package io.varve.infinispan;

import io.varve.Durability;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AbstractStoreConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.persistence.PersistenceUtil;

/// Makes a [VarveStoreConfiguration], in code:
///
/// ```java
/// new ConfigurationBuilder()
///     .persistence()
///     .addStore(VarveStoreConfigurationBuilder.class)
///     .location("data")
///     .durability(Durability.BACKGROUND)
///     .build();
/// ```
public final class VarveStoreConfigurationBuilder
    extends AbstractStoreConfigurationBuilder<
        VarveStoreConfiguration, VarveStoreConfigurationBuilder> {
  static final long CACHE_BYTES_MIN = 1 << 20;

  private static final long OFF_HEAP_BYTES_MIN = 1 << 20;
  private static final long OFF_HEAP_BYTES_MAX = 1L << 40;

  /// Made by [PersistenceConfigurationBuilder#addStore(Class)].
  public VarveStoreConfigurationBuilder(PersistenceConfigurationBuilder builder) {
    super(builder, VarveStoreConfiguration.attributeDefinitionSet());
  }

  /// Sets the directory below which each cache has one of its own. Default that of the global
  /// state; there must be one of the two. Where there is a global state, the directory is in its
  /// own, or is relative to it.
  public VarveStoreConfigurationBuilder location(String value) {
    attributes.attribute(VarveStoreConfiguration.LOCATION).set(value);
    return self();
  }

  /// Sets what a write that has completed survives. Default [Durability#POWER_LOSS]. With
  /// [Durability#NONE] the store is in memory, and needs no location.
  public VarveStoreConfigurationBuilder durability(Durability value) {
    attributes.attribute(VarveStoreConfiguration.DURABILITY).set(value);
    return self();
  }

  /// Sets the budget for pages in memory, for each cache, at least 1 MiB. Default
  /// [VarveStoreConfiguration#CACHE_BYTES_DEFAULT].
  public VarveStoreConfigurationBuilder cacheBytes(long value) {
    attributes.attribute(VarveStoreConfiguration.CACHE_BYTES).set(value);
    return self();
  }

  /// Sets how much memory outside of the heap pages may take that left it, for each cache: 0 (the
  /// default), or 1 MiB to 1 TiB.
  public VarveStoreConfigurationBuilder offHeapBytes(long value) {
    attributes.attribute(VarveStoreConfiguration.OFF_HEAP_BYTES).set(value);
    return self();
  }

  /// Sets the compression of pages: `none` (the default), `deflate`, or, with the module
  /// varve-compress, `lz4` or `zstd`. A name that is not there is refused when the cache starts.
  public VarveStoreConfigurationBuilder compression(String value) {
    attributes.attribute(VarveStoreConfiguration.COMPRESSION).set(value);
    return self();
  }

  @Override
  public void validate() {
    if (attributes.attribute(AbstractStoreConfiguration.SHARED).get()) {
      throw new CacheConfigurationException(
          "a varve-store cannot be shared: its directory belongs to one process; leave shared out,"
              + " and each node keeps the entries of its own segments");
    }
    long cacheBytes = attributes.attribute(VarveStoreConfiguration.CACHE_BYTES).get();
    if (cacheBytes < CACHE_BYTES_MIN) {
      throw new CacheConfigurationException(
          "cache-bytes of a varve-store out of range: cache-bytes="
              + cacheBytes
              + ", min="
              + CACHE_BYTES_MIN);
    }
    long offHeapBytes = attributes.attribute(VarveStoreConfiguration.OFF_HEAP_BYTES).get();
    if (offHeapBytes != 0
        && (offHeapBytes < OFF_HEAP_BYTES_MIN || offHeapBytes > OFF_HEAP_BYTES_MAX)) {
      throw new CacheConfigurationException(
          "off-heap-bytes of a varve-store out of range: off-heap-bytes="
              + offHeapBytes
              + ", none=0, min="
              + OFF_HEAP_BYTES_MIN
              + ", max="
              + OFF_HEAP_BYTES_MAX);
    }
    super.validate();
  }

  @Override
  public void validate(GlobalConfiguration global) {
    if (attributes.attribute(VarveStoreConfiguration.DURABILITY).get() != Durability.NONE) {
      PersistenceUtil.validateGlobalStateStoreLocation(
          global,
          VarveStoreConfiguration.class.getSimpleName(),
          attributes.attribute(VarveStoreConfiguration.LOCATION));
    }
    StoreKeyModule.requireNoIndexInClear(global, indexing().create());
    super.validate(global);
  }

  @Override
  public VarveStoreConfiguration create() {
    return new VarveStoreConfiguration(attributes.protect(), async.create());
  }

  @Override
  public VarveStoreConfigurationBuilder self() {
    return this;
  }
}
