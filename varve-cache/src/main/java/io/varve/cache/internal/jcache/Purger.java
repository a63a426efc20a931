package io.varve.cache.internal.jcache;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The thread that removes expired entries of the caches of a manager, every second. Safe for
/// threads.
final class Purger implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Purger.class.getName());

  private final Collection<JCache<?, ?>> caches;
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable Thread thread; // guarded by this

  Purger(Collection<JCache<?, ?>> caches) {
    this.caches = caches;
  }

  /// Starts, unless it has.
  synchronized void start() {
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("varve-cache-purge").start(this::run);
    }
  }

  private void run() {
    try {
      while (!end.await(1, TimeUnit.SECONDS)) {
        for (JCache<?, ?> cache : caches) {
          purge(cache);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody has a reason to; then expired entries stay
    }
  }

  private static void purge(JCache<?, ?> cache) {
    try {
      cache.purge();
    } catch (RuntimeException e) {
      if (!cache.isClosed()) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "expired entries were not removed: cache=" + cache.getName(),
            e);
      }
    }
  }

  /// Ends the thread and waits for its end.
  @Override
  public void close() {
    end.countDown();
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null && !running.equals(Thread.currentThread())) {
      boolean interrupted = false;
      while (running.isAlive()) {
        try {
          running.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
