package io.varve.spring;

import io.varve.Durability;
import io.varve.cache.CacheOptions;
import io.varve.cache.HeapFull;
import io.varve.cache.StorageMode;
import io.varve.cache.WriteBehind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The properties `varve.*`. A start with another of that name is refused: a key file whose
/// property is mistyped would leave everything in clear. Spring Boot does not look for such among
/// environment variables and properties of the system, which other programs read, too.
///
/// @param directory of the caches; null keeps them in memory
/// @param pageCache how much of the pages of all caches is kept in memory; null for a quarter of
///   the heap
/// @param keyFile the file of the key by which caches, store and sessions are encrypted on disk;
///   null for in clear, unless there is a bean of type [io.varve.KeySource]
/// @param defaults of every cache
/// @param caches what single caches have otherwise, by their names; they are opened at the start
/// @param store of the bean of that type
/// @param session of the sessions of Spring Session
/// @since 1.0
@ConfigurationProperties(prefix = "varve", ignoreUnknownFields = false)
public record VarveProperties(
    @Nullable String directory,
    @Nullable DataSize pageCache,
    @Nullable String keyFile,
    @DefaultValue OfCache defaults,
    @DefaultValue Map<String, OfCache> caches,
    @DefaultValue OfStore store,
    @DefaultValue OfSession session) {

  /// The properties of a cache; null stands for what [CacheOptions] has.
  ///
  /// @param mode where entries live
  /// @param durability what a change survives that has returned
  /// @param heapEntries the most entries on the heap
  /// @param heapSize the most bytes on the heap, in place of `heapEntries`
  /// @param heapFull what a put does when a cache on the heap is full
  /// @param ttl how long an entry is there after it was put
  /// @param idle how long an entry is there after it was put or read, in place of `ttl`
  /// @param segments over how many segments entries are spread
  /// @param loader the name of the bean that loads what the cache does not have
  /// @param readThrough whether reads ask the loader; null for yes
  /// @param writer the name of the bean that writes changes elsewhere
  /// @param writeThrough whether changes go to the writer; null for yes
  /// @param writeBehind how changes reach the writer later; null for in the calls that make them
  /// @since 1.0
  public record OfCache(
      @Nullable StorageMode mode,
      @Nullable Durability durability,
      @Nullable Long heapEntries,
      @Nullable DataSize heapSize,
      @Nullable HeapFull heapFull,
      @Nullable Duration ttl,
      @Nullable Duration idle,
      @Nullable Integer segments,
      @Nullable String loader,
      @Nullable Boolean readThrough,
      @Nullable String writer,
      @Nullable Boolean writeThrough,
      @Nullable OfWriteBehind writeBehind) {

    /// Sets what is set here, and leaves alone what is not.
    ///
    /// @param prefix of the names of these properties
    void applyTo(CacheOptions<Object, Object> options, String prefix, SourceBeans beans) {
      ifSet(mode, options::mode);
      ifSet(durability, options::durability);
      ifSet(segments, options::segments);
      requireOne("heap-entries", heapEntries, "heap-size", heapSize);
      ifSet(heapEntries, options::heapEntriesMax);
      ifSet(heapSize, size -> options.heapBytesMax(size.toBytes()));
      ifSet(heapFull, options::heapFull);
      requireOne("ttl", ttl, "idle", idle);
      ifSet(
          ttl,
          time ->
              options.setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(millis("ttl", time))));
      ifSet(
          idle,
          time ->
              options.setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(millis("idle", time))));
      ifSet(loader, name -> beans.setLoader(options, prefix + ".loader", name));
      ifSet(readThrough, options::setReadThrough);
      ifSet(writer, name -> beans.setWriter(options, prefix + ".writer", name));
      ifSet(writeThrough, options::setWriteThrough);
      ifSet(writeBehind, given -> options.writeBehind(given.over(options.writeBehind())));
    }

    private static <T> void ifSet(@Nullable T value, Consumer<T> set) {
      if (value != null) {
        set.accept(value);
      }
    }

    private static void requireOne(
        String name, @Nullable Object value, String otherName, @Nullable Object other) {
      if (value != null && other != null) {
        throw new IllegalArgumentException(
            "a cache has both "
                + name
                + "="
                + value
                + " and "
                + otherName
                + "="
                + other
                + ": leave out one");
      }
    }

    private static javax.cache.expiry.Duration millis(String name, Duration duration) {
      if (!duration.isPositive()) { // no call would ever be answered by the cache
        throw new IllegalArgumentException(
            "a time is not above 0: " + name + "=" + duration + "; leave it out for no end");
      }
      return new javax.cache.expiry.Duration(
          TimeUnit.MILLISECONDS, Math.max(1, duration.toMillis()));
    }
  }

  /// How changes of a cache reach its writer later; null stands for what [WriteBehind#defaults()]
  /// has, or `varve.defaults`.
  ///
  /// @param enabled whether they do; null for yes
  /// @param waitingMax the most keys whose changes wait
  /// @param refuseWhenFull whether more are refused; else threads wait
  /// @param batchMax the most keys that the writer is given by one call
  /// @param delay how long a change waits for others
  /// @param retryMin how long nothing is written after a failure
  /// @param retryMax the longest such pause
  /// @param attemptsMax how many times an entry is tried alone before it is dropped; 0 for no end
  /// @since 1.0
  public record OfWriteBehind(
      @Nullable Boolean enabled,
      @Nullable Integer waitingMax,
      @Nullable Boolean refuseWhenFull,
      @Nullable Integer batchMax,
      @Nullable Duration delay,
      @Nullable Duration retryMin,
      @Nullable Duration retryMax,
      @Nullable Integer attemptsMax) {

    /// What results; null if changes reach the writer in the calls that make them.
    ///
    /// @param before what is set for every cache
    @Nullable WriteBehind over(@Nullable WriteBehind before) {
      if (Boolean.FALSE.equals(enabled)) {
        return null;
      }
      WriteBehind base = before == null ? WriteBehind.defaults() : before;
      return new WriteBehind(
          or(waitingMax, base.waitingMax()),
          or(refuseWhenFull, base.refusesWhenFull()),
          or(batchMax, base.batchMax()),
          or(delay, base.delay()),
          new WriteBehind.Retry(
              or(retryMin, base.retry().pauseMin()),
              or(retryMax, base.retry().pauseMax()),
              or(attemptsMax, base.retry().attemptsMax())));
    }

    private static <T> T or(@Nullable T value, T base) {
      return value == null ? base : value;
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
      @DefaultValue("true") boolean control) {
    /// Refuses an empty directory, which would be where the application runs.
    public OfStore {
      requirePath("varve.store.directory", directory);
    }
  }

  /// The properties of the sessions of Spring Session.
  ///
  /// @param directory of the sessions; null for none in Varve
  /// @param durability what a saved session survives
  /// @param heapEntries the most sessions on the heap; all are in pages
  /// @since 1.0
  public record OfSession(
      @Nullable String directory,
      @DefaultValue("process-crash") Durability durability,
      @DefaultValue("10000") long heapEntries) {
    /// Refuses an empty directory, which would be where the application runs.
    public OfSession {
      requirePath("varve.session.directory", directory);
    }
  }

  private static void requirePath(String property, @Nullable String directory) {
    if (directory != null && directory.isEmpty()) {
      throw new IllegalArgumentException(
          "a property is empty, and names no directory: property=" + property + "; leave it out");
    }
  }

  /// The options of a cache.
  ///
  /// @throws IllegalArgumentException if the properties contain what no cache can have
  CacheOptions<Object, Object> optionsOf(String cacheName, SourceBeans beans) {
    CacheOptions<Object, Object> options = new CacheOptions<>();
    options.setStatisticsEnabled(true); // else what asks by JMX, as Micrometer does, sees nothing
    String prefix = "varve.caches." + cacheName;
    try {
      defaults.applyTo(options, "varve.defaults", beans);
      OfCache own = caches.get(cacheName);
      if (own != null) {
        own.applyTo(options, prefix, beans);
        requireSource(own, options);
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the properties of a cache cannot be used: cache="
              + cacheName
              + "; correct "
              + prefix
              + ".* or varve.defaults.*",
          e);
    }
  }

  private static void requireSource(OfCache own, CacheOptions<Object, Object> options) {
    if (Boolean.TRUE.equals(own.readThrough()) && options.getCacheLoaderFactory() == null) {
      throw new IllegalArgumentException(
          "a cache has read-through and no loader: name the bean that loads as its loader");
    }
    if (Boolean.TRUE.equals(own.writeThrough()) && options.getCacheWriterFactory() == null) {
      throw new IllegalArgumentException(
          "a cache has write-through and no writer: name the bean that writes as its writer");
    }
    if (own.writeBehind() != null
        && options.writeBehind() != null
        && options.getCacheWriterFactory() == null) {
      throw new IllegalArgumentException(
          "a cache has write-behind and no writer: name the bean that writes as its writer");
    }
  }
}
