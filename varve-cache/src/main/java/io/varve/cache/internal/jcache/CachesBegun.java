package io.varve.cache.internal.jcache;

import java.util.HashMap;
import java.util.Map;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;

/// Which threads make which caches, in all managers of the process. Code of users runs while a
/// cache is made, and may make other caches.
///
/// (BEGUN-1) A cache is made by one thread at a time. A second creator of its name waits.
///
/// (BEGUN-2) No thread waits for itself, through however many others.
final class CachesBegun {
  /// Guarded by the class, as all that is here.
  private static final Map<Name, Thread> MAKERS = new HashMap<>();

  private static final Map<Thread, Name> WAITING = new HashMap<>();

  /// @param cache null for all that a manager opens before it is used
  private record Name(CacheManager manager, @Nullable String cache) {}

  private CachesBegun() {}

  /// Notes that this thread makes a cache, until [#end].
  ///
  /// @param cache null for all that the manager opens before it is used
  /// @throws CacheException if the thread that makes it waits for this one, or is this one
  static void begin(CacheManager manager, @Nullable String cache) {
    Name name = new Name(manager, cache);
    Thread self = Thread.currentThread();
    boolean interrupted = false;
    try {
      synchronized (CachesBegun.class) {
        while (MAKERS.containsKey(name)) {
          requireOther(self, name);
          WAITING.put(self, name);
          try {
            CachesBegun.class.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          } finally {
            WAITING.remove(self);
          }
        }
        MAKERS.put(name, self);
      }
    } finally {
      if (interrupted) {
        self.interrupt();
      }
    }
  }

  private static void requireOther(Thread self, Name name) {
    Thread maker = MAKERS.get(name);
    while (maker != null) {
      if (maker.equals(self)) {
        throw new CacheException(
            name.cache() == null
                ? "the caches of the manager are being opened, and their factories wait for this"
                    + " thread: uri="
                    + name.manager().getURI()
                : "the cache is being made, and its factories wait for this thread: cache="
                    + name.cache());
      }
      Name next = WAITING.get(maker);
      maker = next == null ? null : MAKERS.get(next);
    }
  }

  /// Notes that a cache is made, or cannot be.
  static synchronized void end(CacheManager manager, @Nullable String cache) {
    MAKERS.remove(new Name(manager, cache));
    CachesBegun.class.notifyAll();
  }
}
