package io.varve.cache.internal.jcache;

import io.varve.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// The store of a manager, opened when a cache needs it. Managers of one directory share it. Safe
/// for threads.
///
/// (M1) Of the caches of one name in one store one is open at most, whichever manager has it: what
/// a cache keeps on the heap and counts is true of the store only if nobody else changes it.
final class ManagerStore implements AutoCloseable {
  /// By their real paths. Guarded by the class, as all that is here.
  private static final Map<Path, Shared> OPEN = new HashMap<>();

  private final @Nullable Path directory;
  private @Nullable Shared shared;

  /// A store, how many managers use it, and which caches of it are open.
  private static final class Shared {
    private final Store store;
    private final Set<String> openCaches = new HashSet<>();
    private int users;

    Shared(Store store) {
      this.store = store;
    }
  }

  /// @param directory null for a store in memory, which ends with the manager
  ManagerStore(@Nullable Path directory) {
    this.directory = directory;
  }

  /// Whether there is a store, open or not.
  boolean exists() {
    synchronized (ManagerStore.class) {
      return shared != null || (directory != null && Files.isDirectory(directory));
    }
  }

  /// The store, for a cache that nobody else has open.
  ///
  /// @throws CacheException if somebody has
  Store open(String cacheName) {
    synchronized (ManagerStore.class) {
      Shared present = share();
      if (!present.openCaches.add(cacheName)) {
        throw new CacheException(
            "the cache is open in another manager of the directory: cache="
                + cacheName
                + ", directory="
                + directory
                + "; use that manager, or close the cache there");
      }
      return present.store;
    }
  }

  /// Notes that a cache is closed.
  void closed(String cacheName) {
    synchronized (ManagerStore.class) {
      if (shared != null) {
        shared.openCaches.remove(cacheName);
      }
    }
  }

  private Shared share() {
    if (shared == null) {
      shared =
          directory == null
              ? new Shared(Store.inMemory())
              : OPEN.computeIfAbsent(realPath(directory), path -> new Shared(Store.open(path)));
      shared.users++;
    }
    return shared;
  }

  private static Path realPath(Path directory) {
    try {
      return Files.createDirectories(directory).toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the directory of a cache manager cannot be used: directory=" + directory, e);
    }
  }

  @Override
  public void close() {
    synchronized (ManagerStore.class) {
      Shared closing = shared;
      shared = null;
      if (closing != null && --closing.users == 0) {
        OPEN.values().remove(closing);
        closing.store.close();
      }
    }
  }
}
