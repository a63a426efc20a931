package io.varve.cache;

import io.varve.cache.internal.jcache.JCacheManager;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;

/// A clock that moves only when a test moves it.
public final class TestClock implements InstantSource {
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

  @Override
  public Instant instant() {
    return now.get();
  }

  /// A manager whose caches go by this clock.
  ///
  /// @param directory of its store, or null for one in memory
  public CacheManager manager(@Nullable Path directory) {
    return manager(directory, Duration.ofMillis(10));
  }

  /// A manager whose caches go by this clock.
  ///
  /// @param directory of its store, or null for one in memory
  /// @param purgeInterval by the clock of the machine
  CacheManager manager(@Nullable Path directory, Duration purgeInterval) {
    return new JCacheManager(
        new JCacheManager.Identity(
            new VarveCachingProvider(),
            URI.create("varve:test"),
            TestClock.class.getClassLoader(),
            new Properties()),
        directory,
        Map.of(),
        this,
        purgeInterval,
        _ -> {});
  }

  public void move(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }
}
