package io.varve.spring;

import io.varve.Durability;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The properties `varve.*`.
///
/// @param directory of the caches; null keeps them in memory
/// @param pageCache how much of the pages of all caches is kept in memory; null for a quarter of
///   the heap
/// @param defaults of every cache
/// @param caches what single caches have otherwise, by their names; they are opened at the start
/// @param store of the bean of that type
/// @param session of the sessions of Spring Session
/// @since 1.0
@ConfigurationProperties("varve")
public record VarveProperties(
    @Nullable String directory,
    @Nullable DataSize pageCache,
    @DefaultValue OfCache defaults,
    @DefaultValue Map<String, OfCache> caches,
    @DefaultValue OfStore store,
    @DefaultValue OfSession session) {

  /// The properties of a cache; null stands for what [CacheOptions] has.
  ///
  /// @param mode where entries live
  /// @param durability what a change survives that has returned
  /// @param heapEntries the most entries on the heap
  /// @param ttl how long an entry is there after it was put
  /// @param idle how long an entry is there after it was put or read, in place of `ttl`
  /// @param segments over how many segments entries are spread
  /// @since 1.0
  public record OfCache(
      @Nullable StorageMode mode,
      @Nullable Durability durability,
      @Nullable Long heapEntries,
      @Nullable Duration ttl,
      @Nullable Duration idle,
      @Nullable Integer segments) {

    /// Sets what is set here, and leaves alone what is not.
    void applyTo(CacheOptions<Object, Object> options) {
      if (mode != null) {
        options.mode(mode);
      }
      if (durability != null) {
        options.durability(durability);
      }
      if (heapEntries != null) {
        options.heapEntriesMax(heapEntries);
      }
      if (segments != null) {
        options.segments(segments);
      }
      if (ttl != null && idle != null) {
        throw new IllegalArgumentException(
            "a cache has both ttl=" + ttl + " and idle=" + idle + ": leave out one");
      }
      Factory<ExpiryPolicy> expiry =
          ttl != null
              ? ModifiedExpiryPolicy.factoryOf(millis(ttl))
              : idle != null ? TouchedExpiryPolicy.factoryOf(millis(idle)) : null;
      if (expiry != null) {
        options.setExpiryPolicyFactory(expiry);
      }
    }

    private static javax.cache.expiry.Duration millis(Duration duration) {
      return new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, duration.toMillis());
    }
  }

  /// The properties of the store that is a bean.
  ///
  /// @param directory of the store; null for no store
  /// @param durability what a commit survives; null for what the engine has
  /// @param control whether the `varve` command may look into it while the application runs
  /// @since 1.0
  public record OfStore(
      @Nullable String directory,
      @Nullable Durability durability,
      @DefaultValue("true") boolean control) {}

  /// The properties of the sessions of Spring Session.
  ///
  /// @param directory of the sessions; null for none in Varve
  /// @param durability what a saved session survives
  /// @param heapEntries the most sessions on the heap; all are in pages
  /// @since 1.0
  public record OfSession(
      @Nullable String directory,
      @DefaultValue("process-crash") Durability durability,
      @DefaultValue("10000") long heapEntries) {}

  /// The options of a cache.
  CacheOptions<Object, Object> optionsOf(String cacheName) {
    CacheOptions<Object, Object> options = new CacheOptions<>();
    options.setStatisticsEnabled(true); // else what asks by JMX, as Micrometer does, sees nothing
    defaults.applyTo(options);
    OfCache own = caches.get(cacheName);
    if (own != null) {
      own.applyTo(options);
    }
    return options;
  }
}
