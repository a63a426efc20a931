package io.varve.cache;

import io.varve.cache.internal.jcache.JCacheManager;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/// Varve as a JCache provider, which `Caching.getCachingProvider()` finds.
///
/// The URI of a manager says where its store is: `file:///var/lib/app/caches` a directory;
/// [#getDefaultURI()] that of the system property `io.varve.cache.directory`, or memory if there is
/// none. The property [#DIRECTORY] of a manager goes before either.
///
/// - **Threads:** safe for any number of threads.
public final class VarveCachingProvider implements CachingProvider {
  /// The property of a manager that names the directory of its store.
  public static final String DIRECTORY = "varve.directory";

  private static final URI DEFAULT_URI = URI.create("varve:default");

  private final Map<ClassLoader, Map<URI, JCacheManager>> managers =
      new WeakHashMap<>(); // guarded by this

  /// Made by JCache.
  public VarveCachingProvider() {}

  @Override
  public synchronized CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
    URI chosen = uri == null ? getDefaultURI() : uri;
    ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
    Properties given = properties == null ? new Properties() : properties;
    return managers
        .computeIfAbsent(loader, _ -> new HashMap<>())
        .computeIfAbsent(
            chosen,
            _ ->
                new JCacheManager(
                    this,
                    chosen,
                    loader,
                    given,
                    directory(chosen, given),
                    InstantSource.system(),
                    manager -> forget(chosen, loader, manager)));
  }

  private static @Nullable Path directory(URI uri, Properties properties) {
    String named = properties.getProperty(DIRECTORY);
    if (named != null) {
      return Path.of(named);
    }
    if (uri.equals(DEFAULT_URI)) {
      return Defaults.directory();
    }
    if (!"file".equals(uri.getScheme())) {
      return null;
    }
    try {
      return Path.of(uri);
    } catch (IllegalArgumentException e) {
      throw new CacheException(
          "no directory: uri=" + uri + "; write file:///path/of/the/directory", e);
    }
  }

  private synchronized void forget(URI uri, ClassLoader loader, JCacheManager manager) {
    Map<URI, JCacheManager> ofLoader = managers.get(loader);
    if (ofLoader != null) {
      ofLoader.remove(uri, manager);
    }
  }

  @Override
  public ClassLoader getDefaultClassLoader() {
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    return ofThread == null ? VarveCachingProvider.class.getClassLoader() : ofThread;
  }

  @Override
  public URI getDefaultURI() {
    return DEFAULT_URI;
  }

  @Override
  public Properties getDefaultProperties() {
    return new Properties();
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return getCacheManager(uri, classLoader, null);
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(null, null, null);
  }

  @Override
  public void close() {
    close(all());
  }

  private synchronized List<JCacheManager> all() {
    List<JCacheManager> found = new ArrayList<>();
    managers.values().forEach(ofLoader -> found.addAll(ofLoader.values()));
    return found;
  }

  private static void close(List<JCacheManager> closing) {
    closing.forEach(JCacheManager::close);
  }

  @Override
  public void close(ClassLoader classLoader) {
    close(of(classLoader, null));
  }

  @Override
  public void close(URI uri, ClassLoader classLoader) {
    close(of(classLoader, uri));
  }

  private synchronized List<JCacheManager> of(ClassLoader classLoader, @Nullable URI uri) {
    List<JCacheManager> found = new ArrayList<>();
    managers
        .getOrDefault(classLoader, Map.of())
        .forEach((each, manager) -> {
          if (uri == null || each.equals(uri)) {
            found.add(manager);
          }
        });
    return found;
  }

  /// Values can be stored by reference where all are on the heap: others have to be written.
  @Override
  public boolean isSupported(OptionalFeature optionalFeature) {
    return switch (optionalFeature) {
      case STORE_BY_REFERENCE -> Defaults.mode() == StorageMode.HEAP;
    };
  }
}
