package io.varve.cache.internal.jcache;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The thread that removes expired entries of the caches of a manager, again and again. Safe for
/// threads.
final class Purger implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Purger.class.getName());

  private final Collection<JCache<?, ?>> caches;
  private final Duration interval;
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable Thread thread; // guarded by this

  /// @param interval from the end of a purge to the next
  Purger(Collection<JCache<?, ?>> caches, Duration interval) {
    this.caches = caches;
    this.interval = interval;
  }

  /// Starts, unless it has.
  synchronized void start() {
    if (thread == null) {
      Thread made = Thread.ofPlatform().daemon().name("varve-cache-purge").unstarted(this::run);
      // That of the thread that made the first cache may be gone before the manager is closed.
      made.setContextClassLoader(Purger.class.getClassLoader());
      made.start();
      thread = made;
    }
  }

  private void run() {
    try {
      while (!end.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        caches.forEach(Purger::purge);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no thread has a reason to; then expired entries stay
    }
  }

  private static void purge(JCache<?, ?> cache) {
    try {
      cache.purge();
    } catch (Throwable e) { // an error, too: other caches wait for their purge
      if (!cache.isClosed()) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "expired entries were not removed: cache=" + cache.getName(),
            e);
      }
    }
  }

  /// Ends the thread soon. Does not wait for it: what it waits for may be the thread that calls
  /// this, in a listener or a processor. A cache that is closed concurrently refuses it.
  @Override
  public void close() {
    end.countDown();
  }
}
