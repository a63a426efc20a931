package io.varve.cache.internal.file;

import io.varve.Durability;
import io.varve.cache.CacheOptions;
import io.varve.cache.HeapFull;
import io.varve.cache.StorageMode;
import io.varve.cache.WriteBehind;
import java.util.concurrent.TimeUnit;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/// The options of a cache, or those that all caches of a file have.
///
/// @param loader of the classes that the file names
record CacheSection(ClassLoader loader) {
  private static final int MANY = Integer.MAX_VALUE;

  /// All that a store in a directory has.
  private static final Durability[] DURABILITIES = {
    Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND
  };

  /// Sets what is said, and leaves alone what is not.
  void applyTo(CacheOptions<Object, Object> options, Setting said) {
    NamedOptions section = new NamedOptions(said);
    types(section, options);
    section.ifSaid("mode", each -> options.mode(each.oneOf(StorageMode.values())));
    section.ifSaid("durability", each -> options.durability(each.oneOf(DURABILITIES)));
    section.ifSaid("segments", each -> options.segments(each.count(CacheOptions.SEGMENTS_MAX)));
    section.ifEitherSaid(
        "heap-entries", each -> options.heapEntriesMax(each.count()),
        "heap-size", each -> options.heapBytesMax(each.bytes()));
    section.ifSaid("heap-full", each -> options.heapFull(each.oneOf(HeapFull.values())));
    expiry(section, options);
    section.ifSaid("store-by-value", each -> options.setStoreByValue(each.flag()));
    section.ifSaid("statistics", each -> options.setStatisticsEnabled(each.flag()));
    section.ifSaid("management", each -> options.setManagementEnabled(each.flag()));
    source(section, options);
    section.ifSaid("listeners", each -> each.elements().forEach(one -> listener(one, options)));
    section.end();
  }

  @SuppressWarnings("unchecked") // a cache by name alone has the types that its program asks for
  private void types(NamedOptions section, CacheOptions<Object, Object> options) {
    Setting keyType = section.find("key-type");
    Setting valueType = section.find("value-type");
    if (keyType != null || valueType != null) {
      options.setTypes(
          (Class<Object>) (keyType == null ? options.getKeyType() : keyType.type(loader)),
          (Class<Object>) (valueType == null ? options.getValueType() : valueType.type(loader)));
    }
  }

  private void expiry(NamedOptions section, CacheOptions<Object, Object> options) {
    Setting policy = section.find("expiry");
    section.ifEitherSaid(
        "ttl",
        each -> {
          requireAlone(each, policy);
          options.setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(millis(each)));
        },
        "idle",
        each -> {
          requireAlone(each, policy);
          options.setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(millis(each)));
        });
    if (policy != null) {
      options.setExpiryPolicyFactory(policy.instances(loader, ExpiryPolicy.class));
    }
  }

  private static void requireAlone(Setting said, @Nullable Setting policy) {
    if (policy != null) {
      throw said.refusal("there is expiry, too; leave out one of them", null);
    }
  }

  private static Duration millis(Setting said) {
    return new Duration(TimeUnit.MILLISECONDS, Math.max(1, said.time().toMillis()));
  }

  /// A loader that is named is asked by reads, and a writer hears of changes, unless set otherwise:
  /// that is why they are named.
  @SuppressWarnings("unchecked") // of the types that the file cannot name
  private void source(NamedOptions section, CacheOptions<Object, Object> options) {
    section.ifSaid(
        "loader",
        each -> {
          options.setCacheLoaderFactory(
              (Instances<CacheLoader<Object, Object>>)
                  (Instances<?>) each.instances(loader, CacheLoader.class));
          options.setReadThrough(true);
        });
    section.ifSaid(
        "writer",
        each -> {
          options.setCacheWriterFactory(
              (Instances<CacheWriter<Object, Object>>)
                  (Instances<?>) each.instances(loader, CacheWriter.class));
          options.setWriteThrough(true);
        });
    section.ifSaid("read-through", each -> options.setReadThrough(each.flag()));
    section.ifSaid("write-through", each -> options.setWriteThrough(each.flag()));
    section.ifSaid("write-behind", each -> options.writeBehind(writeBehind(each)));
  }

  /// Refuses options of a loader or writer in the section of a cache that has none. Those in
  /// `defaults` are for the caches that have one.
  void requireSource(CacheOptions<Object, Object> options, Setting said) {
    NamedOptions section = new NamedOptions(said);
    if (options.getCacheLoaderFactory() == null) {
      section.ifSaid("read-through", each -> requireFalse(each, "loader"));
    }
    if (options.getCacheWriterFactory() == null) {
      section.ifSaid("write-through", each -> requireFalse(each, "writer"));
      section.ifSaid(
          "write-behind",
          each -> {
            throw each.refusal("there is no writer; name its class by writer", null);
          });
    }
  }

  private static void requireFalse(Setting said, String source) {
    if (said.flag()) {
      throw said.refusal("there is no " + source + "; name its class by " + source, null);
    }
  }

  private static WriteBehind writeBehind(Setting said) {
    NamedOptions section = new NamedOptions(said);
    WriteBehind made = WriteBehind.defaults();
    made = section.with("waiting-max", made, (to, each) -> to.waitingMax(each.count(MANY)));
    made = section.with("refuse-when-full", made, (to, each) -> to.refusesWhenFull(each.flag()));
    made = section.with("batch-max", made, (to, each) -> to.batchMax(each.count(MANY)));
    made = section.with("delay", made, (to, each) -> to.delay(each.time()));
    made = section.with("attempts-max", made, (to, each) -> to.attemptsMax(each.count(MANY)));
    Setting min = section.find("retry-min");
    Setting max = section.find("retry-max");
    section.end();
    try {
      return made.retry(
          min == null ? made.retry().pauseMin() : min.time(),
          max == null ? made.retry().pauseMax() : max.time());
    } catch (IllegalArgumentException e) {
      throw said.refusal("let retry-max be no less than retry-min", e);
    }
  }

  @SuppressWarnings("unchecked") // as above
  private void listener(Setting said, CacheOptions<Object, Object> options) {
    NamedOptions section = new NamedOptions(said);
    Setting type = section.find("class");
    Setting filter = section.find("filter");
    Setting needsOldValue = section.find("old-value");
    Setting waits = section.find("synchronous");
    section.end();
    if (type == null) {
      throw said.refusal("name the class of the listener: class: com.example.Heard", null);
    }
    var configuration =
        new MutableCacheEntryListenerConfiguration<>(
            (Instances<CacheEntryListener<Object, Object>>)
                (Instances<?>) type.instances(loader, CacheEntryListener.class),
            filter == null
                ? null
                : (Instances<CacheEntryEventFilter<Object, Object>>)
                    (Instances<?>) filter.instances(loader, CacheEntryEventFilter.class),
            needsOldValue != null && needsOldValue.flag(),
            waits != null && waits.flag());
    try {
      options.addCacheEntryListenerConfiguration(configuration);
    } catch (IllegalArgumentException e) {
      throw type.refusal("the listener is there twice, here or in defaults; leave out one", e);
    }
  }
}
