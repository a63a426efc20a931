package io.varve.cache.internal.jcache;

import io.varve.Store;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The store of a manager, opened when a cache needs it. Managers of one directory share it. Safe
/// for threads.
final class ManagerStore implements AutoCloseable {
  private static final Map<Path, Shared> OPEN = new HashMap<>(); // guarded by the class

  private final @Nullable Path directory;
  private @Nullable Store store; // guarded by the class

  /// A store and how many managers use it.
  private static final class Shared {
    private final Store store;
    private int users;

    Shared(Store store) {
      this.store = store;
    }
  }

  /// @param directory null for a store in memory, which ends with the manager
  ManagerStore(@Nullable Path directory) {
    this.directory = directory == null ? null : directory.toAbsolutePath().normalize();
  }

  Store open() {
    synchronized (ManagerStore.class) {
      Store present = store;
      if (present == null) {
        present = directory == null ? Store.inMemory() : share(directory);
        store = present;
      }
      return present;
    }
  }

  private static Store share(Path directory) {
    Shared shared = OPEN.computeIfAbsent(directory, path -> new Shared(Store.open(path)));
    shared.users++;
    return shared.store;
  }

  @Override
  public void close() {
    synchronized (ManagerStore.class) {
      Store present = store;
      store = null;
      if (present == null) {
        return;
      }
      if (directory != null) {
        Shared shared = OPEN.get(directory);
        if (shared == null || --shared.users > 0) {
          return;
        }
        OPEN.remove(directory);
      }
      present.close();
    }
  }
}
