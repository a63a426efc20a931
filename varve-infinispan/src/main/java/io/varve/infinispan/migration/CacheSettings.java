package io.varve.infinispan.migration;

import java.io.IOException;
import java.nio.file.Path;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.jspecify.annotations.Nullable;

/// What the bytes of a cache depend on: how keys are marshalled, and which segments they are of.
///
/// @param named what the user's file sets, or null
/// @param cache what it sets for this cache, or null
record CacheSettings(@Nullable ConfigurationBuilderHolder named, @Nullable Configuration cache) {
  /// Reads a file of Infinispan's configuration, if there is one.
  ///
  /// @throws ImportException if it cannot be read, or does not know the cache
  static CacheSettings of(String cache, @Nullable Path file) {
    if (file == null) {
      return new CacheSettings(null, null);
    }
    ConfigurationBuilderHolder named;
    try {
      named = new ParserRegistry().parse(file);
    } catch (IOException | RuntimeException e) {
      throw new ImportException(
          "the configuration cannot be read: file=" + file + ", cause=" + RootCause.message(e), e);
    }
    ConfigurationBuilder builder = named.getNamedConfigurationBuilders().get(cache);
    if (builder == null) {
      throw new ImportException(
          "the configuration has no such cache: file="
              + file
              + ", cache="
              + cache
              + ", found="
              + named.getNamedConfigurationBuilders().keySet());
    }
    return new CacheSettings(named, builder.build(named.getGlobalConfigurationBuilder().build()));
  }

  /// A manager of caches on this node alone, which keeps nothing of its own.
  DefaultCacheManager manager() {
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    if (named != null) {
      global
          .serialization()
          .read(named.getGlobalConfigurationBuilder().serialization().create(), Combine.DEFAULT);
    }
    return new DefaultCacheManager(global.build());
  }

  /// A configuration of the cache, without a store.
  ConfigurationBuilder configuration() {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    if (cache != null) {
      configuration.clustering().hash().read(cache.clustering().hash(), Combine.DEFAULT);
    }
    configuration.clustering().cacheMode(CacheMode.LOCAL);
    configuration.expiration().disableReaper();
    configuration.memory().maxCount(1);
    return configuration;
  }
}
