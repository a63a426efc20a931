package io.varve.infinispan;

import io.varve.Durability;
import io.varve.StoreOptions;
import org.infinispan.commons.configuration.BuiltBy;
import org.infinispan.commons.configuration.ConfigurationFor;
import org.infinispan.commons.configuration.attributes.AttributeDefinition;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AsyncStoreConfiguration;
import org.infinispan.configuration.serializing.SerializedWith;
import org.jspecify.annotations.Nullable;

/// How a cache keeps its entries in Varve: the element `varve-store` of a cache's persistence.
/// Immutable; made by a [VarveStoreConfigurationBuilder].
@BuiltBy(VarveStoreConfigurationBuilder.class)
@ConfigurationFor(VarveStore.class)
@SerializedWith(VarveStoreConfigurationSerializer.class)
public final class VarveStoreConfiguration
    extends AbstractStoreConfiguration<VarveStoreConfiguration> {
  /// Pages in memory of a cache that names no number, in bytes.
  public static final long CACHE_BYTES_DEFAULT = 64L << 20;

  /// A start after a kill applies at most so much: half of the engine's default, since a cache is
  /// missed while it starts, and pages leave its small budget for memory more often anyway.
  private static final long LOG_BYTES_MAX = 128L << 20;

  private static final int LOG_SEGMENT_BYTES = 32 << 20;

  @SuppressWarnings("NullAway") // no location is the default
  static final AttributeDefinition<String> LOCATION =
      AttributeDefinition.<String>builder(VarveAttribute.LOCATION, null, String.class)
          .immutable()
          .build();

  static final AttributeDefinition<Durability> DURABILITY =
      AttributeDefinition.builder(VarveAttribute.DURABILITY, Durability.POWER_LOSS)
          .immutable()
          .build();

  static final AttributeDefinition<Long> CACHE_BYTES =
      AttributeDefinition.builder(VarveAttribute.CACHE_BYTES, CACHE_BYTES_DEFAULT)
          .immutable()
          .build();

  static final AttributeDefinition<Long> OFF_HEAP_BYTES =
      AttributeDefinition.builder(VarveAttribute.OFF_HEAP_BYTES, 0L).immutable().build();

  static final AttributeDefinition<String> COMPRESSION =
      AttributeDefinition.builder(VarveAttribute.COMPRESSION, "none").immutable().build();

  /// The attributes of a store, with their defaults.
  public static AttributeSet attributeDefinitionSet() {
    return new AttributeSet(
        VarveStoreConfiguration.class,
        AbstractStoreConfiguration.attributeDefinitionSet(),
        LOCATION,
        DURABILITY,
        CACHE_BYTES,
        OFF_HEAP_BYTES,
        COMPRESSION);
  }

  VarveStoreConfiguration(AttributeSet attributes, AsyncStoreConfiguration async) {
    super(VarveElement.VARVE_STORE, attributes, async);
  }

  /// The directory below which each cache has one of its own, or null for that of the global state.
  public @Nullable String location() {
    return attributes.attribute(LOCATION).get();
  }

  /// What a write that has completed survives. With [Durability#NONE] the store is in memory.
  public Durability durability() {
    return attributes.attribute(DURABILITY).get();
  }

  /// The budget for pages in memory, in bytes, for each cache.
  public long cacheBytes() {
    return attributes.attribute(CACHE_BYTES).get();
  }

  /// The most memory outside of the heap for pages that left it, in bytes, for each cache.
  public long offHeapBytes() {
    return attributes.attribute(OFF_HEAP_BYTES).get();
  }

  /// The name of the compression of pages, or `none`.
  public String compression() {
    return attributes.attribute(COMPRESSION).get();
  }

  StoreOptions storeOptions() {
    return StoreOptions.defaults()
        .durability(durability())
        .cacheBytes(cacheBytes())
        .cache(cache -> cache.offHeapBytes(offHeapBytes()))
        .log(log -> log.bytesMax(LOG_BYTES_MAX).segmentBytes(LOG_SEGMENT_BYTES))
        .compression(compression());
  }
}
