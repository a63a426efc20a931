package io.varve.cache;

import io.varve.cache.internal.file.CacheFile;
import io.varve.cache.internal.jcache.JCacheManager;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/// Varve as a JCache provider, which `Caching.getCachingProvider()` finds.
///
/// The URI of a manager names the location of its store: `file:///var/lib/app/caches` a directory;
/// [#getDefaultURI()] that of the system property `io.varve.cache.directory`, or memory if there is
/// none. The property [#DIRECTORY] of a manager goes before either.
///
/// A URI that ends in `.yaml` or `.yml` names a file that defines the caches, and where they are:
/// `file:///etc/app/caches.yaml`, `classpath:caches.yaml`, or that of a resource. They are open
/// when the manager is given. The guide to caches has the options. A library that reads YAML must
/// be on the class path then, `org.yaml:snakeyaml`.
///
/// A manager refuses properties whose names begin with `varve.` and are none of those below: a key
/// under a name that is mistyped would leave its store in clear.
///
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public final class VarveCachingProvider implements CachingProvider {
  /// The property of a manager that names the directory of its store.
  public static final String DIRECTORY = "varve.directory";

  /// The property of a manager that sets how many bytes of pages its store keeps in memory; a
  /// quarter of the heap if it is not there. Managers of one directory share a store: the first
  /// that opens it decides.
  public static final String CACHE_BYTES = "varve.cacheBytes";

  /// The property of a manager that sets how many bytes of memory outside of the heap pages that
  /// left it may take: from 1048576, or 0, as if it is not there. A store without a directory has
  /// none.
  public static final String OFF_HEAP_BYTES = "varve.offHeapBytes";

  /// The property of a manager that sets how large the pages of its store are, in bytes: a power of
  /// two from 1024 to 32768; 8192 if it is not there. Large pages take fewer bytes for each entry,
  /// small ones are sooner read and written. Pages that are there already are as they were made.
  public static final String PAGE_BYTES = "varve.pageBytes";

  /// The property of a manager that names the file of the key by which its store is encrypted, as
  /// [io.varve.KeySource#file(Path)] has it. Set it when the store is made; without it the store is
  /// in clear. Managers of one directory share a store: one whose key is another than that of a
  /// manager that has it open is refused. A store without a directory writes nothing, and takes no
  /// notice of it.
  public static final String KEY_FILE = "varve.keyFile";

  /// The property of a manager whose value is no text: the [io.varve.KeySource] of its store, as
  /// one that asks a vault, in place of [#KEY_FILE]. Set it by `put`, since `setProperty` takes
  /// texts.
  public static final String KEY_SOURCE = "varve.keySource";

  /// The property of a manager that names the file of its caches, instead of its URI: a path, or a
  /// URI as there.
  public static final String CONFIGURATION = "varve.configuration";

  /// What the names of properties begin with that are for Varve.
  private static final String PREFIX = "varve.";

  private static final List<String> PROPERTIES =
      List.of(
          CACHE_BYTES, CONFIGURATION, DIRECTORY, KEY_FILE, KEY_SOURCE, OFF_HEAP_BYTES, PAGE_BYTES);

  /// How long expired entries that no caller asks for may stay, about.
  private static final Duration PURGE_INTERVAL = Duration.ofSeconds(1);

  private static final URI DEFAULT_URI = URI.create("varve:default");

  private final Map<ClassLoader, Map<Place, JCacheManager>> managers =
      new WeakHashMap<>(); // guarded by this

  /// What distinguishes the managers of a class loader: the directory, however it was written, or
  /// the URI of one that has none or that has a file.
  private record Place(@Nullable Path directory, @Nullable URI uri) {}

  /// Made by JCache.
  public VarveCachingProvider() {}

  @Override
  public CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
    URI chosen = uri == null ? getDefaultURI() : uri;
    ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
    Properties given = properties == null ? new Properties() : withDefaults(properties);
    requireKnown(given);
    URI file = file(chosen, given);
    Path directory = file == null ? directory(chosen, given) : null;
    Place place = new Place(directory, file != null ? file : directory == null ? chosen : null);
    while (true) {
      Map<Place, JCacheManager> ofLoader;
      JCacheManager manager;
      synchronized (this) {
        ofLoader = managers.computeIfAbsent(loader, _ -> new HashMap<>());
        manager = ofLoader.get(place);
        if (manager == null) {
          Consumer<JCacheManager> onClose = forgetting(ofLoader);
          var identity = new JCacheManager.Identity(this, chosen, loader, given);
          manager = newManager(identity, file, directory, onClose);
          ofLoader.put(place, manager);
        }
      }
      if (manager.isOpenWithCaches()) {
        manager.requireKeyOf(given);
        return manager;
      }
      manager.close(); // waits until the thread that closes it is done
      forgetting(ofLoader).accept(manager);
    }
  }

  /// A copy that has defaults as its own: another copy would leave them out, as that of a key.
  private static Properties withDefaults(Properties properties) {
    var all = new Properties();
    all.putAll(properties);
    properties
        .stringPropertyNames()
        .forEach(name -> all.setProperty(name, properties.getProperty(name)));
    return all;
  }

  private static void requireKnown(Properties properties) {
    for (Object name : properties.keySet()) {
      if (name instanceof String text && text.startsWith(PREFIX) && !PROPERTIES.contains(text)) {
        throw new CacheException(
            "a cache manager has no such property: " + text + "; write one of " + PROPERTIES);
      }
    }
  }

  private JCacheManager newManager(
      JCacheManager.Identity identity,
      @Nullable URI file,
      @Nullable Path directory,
      Consumer<JCacheManager> onClose) {
    if (file == null) {
      return newManager(identity, directory, Map.of(), onClose);
    }
    CacheFile read = readFile(file, identity.classLoader());
    Properties all = new Properties();
    all.putAll(read.properties());
    all.putAll(identity.properties()); // what the program sets goes before what the file sets
    return newManager(
        new JCacheManager.Identity(this, identity.uri(), identity.classLoader(), all),
        directory(identity.uri(), all),
        read.caches(),
        onClose);
  }

  private static JCacheManager newManager(
      JCacheManager.Identity identity,
      @Nullable Path directory,
      Map<String, ? extends CacheOptions<?, ?>> caches,
      Consumer<JCacheManager> onClose) {
    return new JCacheManager(
        identity, directory, caches, InstantSource.system(), PURGE_INTERVAL, onClose);
  }

  private static CacheFile readFile(URI file, ClassLoader loader) {
    try {
      return CacheFile.read(file, loader);
    } catch (NoClassDefFoundError e) {
      throw new CacheException(
          "a file of caches cannot be read without a library for YAML: file="
              + file
              + "; add org.yaml:snakeyaml to the class path",
          e);
    }
  }

  /// The file that lists the caches of a manager; null for none.
  private static @Nullable URI file(URI given, Properties properties) {
    URI uri = absolute(given);
    String named = properties.getProperty(CONFIGURATION);
    if (named == null && uri.equals(DEFAULT_URI)) {
      named = Defaults.configuration();
    }
    if (named != null) {
      try {
        return named.matches("[a-z]{2,}:.*")
            ? absolute(URI.create(named))
            : real(path(named)).toUri();
      } catch (IllegalArgumentException e) {
        throw new CacheException(
            "no file of caches: "
                + CONFIGURATION
                + "="
                + named
                + "; write a path, or a URI without spaces",
            e);
      }
    }
    return isFile(uri) ? uri : null;
  }

  private static @Nullable Path directory(URI given, Properties properties) {
    URI uri = absolute(given);
    String named = properties.getProperty(DIRECTORY);
    if (named != null) {
      return real(path(named));
    }
    if (uri.equals(DEFAULT_URI)) {
      Path byDefault = Defaults.directory();
      return byDefault == null ? null : real(byDefault);
    }
    if (!"file".equals(uri.getScheme()) || isFile(uri)) {
      return null;
    }
    try {
      return real(Path.of(uri));
    } catch (IllegalArgumentException e) {
      throw new CacheException(
          "no directory: uri=" + uri + "; write file:///path/of/the/directory", e);
    }
  }

  /// A URI without the slashes of an absolute path, as Spring has `file:caches.yaml`, by the path
  /// that it names from where the program runs.
  private static URI absolute(URI uri) {
    return uri.isOpaque() && "file".equals(uri.getScheme())
        ? Path.of(uri.getSchemeSpecificPart()).toUri()
        : uri;
  }

  /// A path that a property names. An empty one would be where the program runs: most likely a
  /// variable that was not set.
  private static Path path(String named) {
    if (named.isEmpty()) {
      throw new CacheException(
          "a property of a cache manager is empty, and names no path; leave it out, or write . for"
              + " where the program runs: "
              + DIRECTORY
              + ", "
              + CONFIGURATION);
    }
    return Path.of(named);
  }

  /// Whether a URI names a file of caches, and not a directory.
  private static boolean isFile(URI uri) {
    String name = uri.toString();
    return (name.endsWith(".yaml") || name.endsWith(".yml"))
        && !("file".equals(uri.getScheme()) && Files.isDirectory(Path.of(uri)));
  }

  /// A directory by the one name that it has, whether it is there or not.
  private static Path real(Path directory) {
    Path absolute = directory.toAbsolutePath().normalize();
    Path existing = absolute;
    while (existing != null) {
      try {
        return existing.toRealPath().resolve(existing.relativize(absolute)).normalize();
      } catch (IOException e) {
        existing = existing.getParent(); // what is not there has no other names
      }
    }
    return absolute;
  }

  /// Removes a manager from those of its loader. Refers to no class loader, which a manager must
  /// not keep, and works when it is gone.
  private Consumer<JCacheManager> forgetting(Map<Place, JCacheManager> ofLoader) {
    return manager -> {
      synchronized (this) {
        ofLoader.values().remove(manager);
      }
    };
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
    JCacheManager.closeAll(all());
  }

  private synchronized List<JCacheManager> all() {
    List<JCacheManager> found = new ArrayList<>();
    managers.values().forEach(ofLoader -> found.addAll(ofLoader.values()));
    return found;
  }

  @Override
  public void close(ClassLoader classLoader) {
    JCacheManager.closeAll(of(classLoader, null));
  }

  @Override
  public void close(URI uri, ClassLoader classLoader) {
    JCacheManager.closeAll(of(classLoader, uri));
  }

  private synchronized List<JCacheManager> of(ClassLoader classLoader, @Nullable URI uri) {
    List<JCacheManager> found = new ArrayList<>();
    Path directory = uri == null ? null : directory(uri, new Properties());
    managers
        .getOrDefault(classLoader, Map.of())
        .forEach((place, manager) -> {
          if (uri == null
              || manager.getURI().equals(uri)
              || (directory != null && directory.equals(place.directory()))) {
            found.add(manager);
          }
        });
    return found;
  }

  /// Values can be stored by reference where all are on the heap: others have to be written.
  @Override
  public boolean isSupported(OptionalFeature optionalFeature) {
    return switch (optionalFeature) {
      case STORE_BY_REFERENCE -> !new CacheOptions<>().mode().hasPages();
    };
  }
}
