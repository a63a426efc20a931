package io.varve.cache.internal.jcache;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.cache.internal.container.CacheSpaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// The store of a manager, opened when a cache needs it. Managers of one directory share it. Safe
/// for threads.
///
/// (M1) Caches of one name in one store have one [OpenCache], whichever managers have them: what it
/// keeps on the heap and counts is true of the store only if nothing else changes it.
///
/// (M2) All managers of a store have the same key, or none has one: what would be refused if a
/// manager were alone is refused next to another. So none writes in clear that was given a key.
final class ManagerStore implements AutoCloseable {
  /// By their real paths. Guarded by the class.
  private static final Map<Path, Shared> OPEN = new HashMap<>();

  private final @Nullable Path directory;
  private final StoreOptions options;
  private @Nullable Shared shared; // guarded by this
  private boolean closed; // guarded by this

  /// A store, how many managers use it, and which caches of it are open. A thread that opens or
  /// closes the store holds this alone, so that no manager of another directory waits for it: that
  /// may take long, and ask for a key by code of users.
  ///
  /// Lock order: this, then the class.
  private static final class Shared {
    private final Map<String, OpenCache<?, ?>> openCaches = new HashMap<>(); // guarded by this
    private int users = 1; // guarded by the class
    private @Nullable Store store; // guarded by this
    private @Nullable KeySource key; // guarded by this

    Store store() {
      Store present = store;
      if (present == null) {
        throw closed();
      }
      return present;
    }
  }

  /// @param directory null for a store in memory, which ends with the manager
  /// @param options of the store, unless another manager has it open
  ManagerStore(@Nullable Path directory, StoreOptions options) {
    this.directory = directory;
    this.options = options;
  }

  /// Whether what is in pages outlives the manager.
  boolean hasDirectory() {
    return directory != null;
  }

  /// Makes a cache that is open nowhere.
  interface Maker<K, V> {
    /// Makes it.
    ///
    /// @param onEnd to be called once no manager uses it any more
    OpenCache<K, V> make(Store store, Runnable onEnd);
  }

  /// The cache of a name, which is made unless another manager has it open.
  ///
  /// @throws CacheException if one has, with other settings or about to be closed
  <K, V> OpenCache<K, V> join(String cacheName, OpenCache.Settings settings, Maker<K, V> maker) {
    Shared present = share();
    synchronized (present) {
      OpenCache<?, ?> open = present.openCaches.get(cacheName);
      if (open == null) {
        OpenCache<K, V> made = maker.make(present.store(), () -> forget(present, cacheName));
        present.openCaches.put(cacheName, made);
        return made;
      }
      if (!open.join(settings)) {
        throw openElsewhere(cacheName);
      }
      return typed(open);
    }
  }

  @SuppressWarnings("unchecked") // the types are among the settings
  private static <K, V> OpenCache<K, V> typed(OpenCache<?, ?> open) {
    return (OpenCache<K, V>) open;
  }

  private static void forget(Shared shared, String cacheName) {
    synchronized (shared) {
      shared.openCaches.remove(cacheName);
    }
  }

  private CacheException openElsewhere(String cacheName) {
    return new CacheException(
        "the cache is open in another manager of the directory: cache="
            + cacheName
            + ", directory="
            + directory
            + "; close it there, or use the same options");
  }

  /// Removes what a cache left in the store, if there is any, when it was closed or its process
  /// ended.
  ///
  /// @throws CacheException if another manager has it open
  void destroy(String cacheName) {
    if (!isUsed() && (directory == null || !Files.isDirectory(directory))) {
      return;
    }
    Shared present = share();
    synchronized (present) {
      if (present.openCaches.containsKey(cacheName)) {
        throw openElsewhere(cacheName);
      }
      CacheSpaces.drop(present.store(), cacheName);
    }
  }

  private synchronized boolean isUsed() {
    return shared != null;
  }

  /// @throws IllegalStateException if the manager is closed: a store that it opens after that stays
  ///   open
  private synchronized Shared share() {
    if (closed) {
      throw closed();
    }
    Shared present = shared;
    if (present == null) {
      present = directory == null ? new Shared() : enter(realPath(directory));
      boolean done = false;
      try {
        open(present);
        done = true;
      } finally {
        if (!done) {
          leave(present);
        }
      }
      shared = present;
    }
    return present;
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the cache manager is closed");
  }

  private static Shared enter(Path path) {
    synchronized (ManagerStore.class) {
      Shared known = OPEN.get(path);
      if (known == null) {
        known = new Shared();
        OPEN.put(path, known);
      } else {
        known.users++;
      }
      return known;
    }
  }

  /// Opens the store, unless another manager has it open.
  private void open(Shared entered) {
    synchronized (entered) {
      if (entered.store == null) {
        entered.store =
            directory == null ? Store.inMemory(options) : Store.open(realPath(directory), options);
        entered.key = options.encryption();
      } else if (!isSameKey(entered.key, options.encryption())) { // (M2)
        throw otherKey("another manager has the directory open", entered.key, directory);
      }
    }
  }

  /// Closes the store if no other manager uses it. One that comes during that waits, and opens it
  /// again.
  private static void leave(Shared left) {
    synchronized (left) {
      boolean wasLast;
      synchronized (ManagerStore.class) {
        wasLast = --left.users == 0;
      }
      Store closing = left.store;
      if (!wasLast) {
        return;
      }
      try {
        left.store = null;
        if (closing != null) {
          closing.close();
        }
      } finally {
        synchronized (ManagerStore.class) {
          if (left.users == 0) {
            OPEN.values().remove(left);
          }
        }
      }
    }
  }

  private static boolean isSameKey(@Nullable KeySource key, @Nullable KeySource other) {
    if (Objects.equals(key, other)) {
      return true;
    }
    if (key == null || other == null) {
      return false;
    }
    String id = key.currentId();
    byte[] own = key.key(id);
    byte[] others = other.key(id);
    return own != null && others != null && MessageDigest.isEqual(own, others);
  }

  /// Refuses properties whose key is another than that of this manager, which they would be given
  /// (M2). Those without a key ask for what is there.
  void requireKeyOf(Properties asked) {
    if (directory == null || !ManagerProperties.haveKey(asked)) {
      return;
    }
    KeySource own = options.encryption();
    if (!isSameKey(own, ManagerProperties.storeOptions(asked).encryption())) {
      throw otherKey("the manager of the directory is", own, directory);
    }
  }

  private static StoreKeyException otherKey(
      String found, @Nullable KeySource key, @Nullable Path directory) {
    return new StoreKeyException(
        found
            + (key == null ? " in clear" : " with another key")
            + ": directory="
            + directory
            + "; give all managers of a directory the same key, or none");
  }

  private static Path realPath(Path directory) {
    try {
      return Files.createDirectories(directory).toRealPath();
    } catch (IOException e) {
      throw new CacheException(
          "the directory of a cache manager cannot be used: directory="
              + directory
              + "; name one that this process may make and write",
          e);
    }
  }

  @Override
  public void close() {
    Shared closing;
    synchronized (this) {
      closed = true;
      closing = shared;
      shared = null;
    }
    if (closing != null) {
      leave(closing);
    }
  }
}
