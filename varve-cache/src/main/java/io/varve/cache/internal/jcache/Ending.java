package io.varve.cache.internal.jcache;

import java.lang.ref.Cleaner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Releases what a manager has open that nobody closed: its store would keep the directory locked
/// until the process ends.
///
/// A provider finds a manager by its class loader alone. When the loader was collected the provider
/// forgets the manager, and when nobody else refers to that it is released. A manager with open
/// caches refers to its loader, so it is never released by this. Safe for threads.
final class Ending {
  private static final System.Logger LOGGER = System.getLogger(Ending.class.getName());

  private static final Cleaner CLEANER = Cleaner.create();

  private final Runnable forget;
  private final Left left;
  private Cleaner.@Nullable Cleanable found; // guarded by this
  private Cleaner.@Nullable Cleanable used; // guarded by this

  /// What is left of a manager that nobody refers to.
  private static final class Left implements Runnable {
    private final List<AutoCloseable> open;
    private volatile boolean closed;

    private Left(List<AutoCloseable> open) {
      this.open = open;
    }

    @Override
    public void run() {
      if (closed) {
        return;
      }
      for (AutoCloseable each : open) {
        try {
          each.close();
        } catch (Exception e) { // nobody is there to receive it
          LOGGER.log(
              System.Logger.Level.WARNING,
              "what a manager of caches left open that nobody closed fails to close",
              e);
        }
      }
    }
  }

  /// @param forget has the provider forget the manager; runs once
  /// @param open what the manager has open; must not refer to it
  Ending(Runnable forget, List<AutoCloseable> open) {
    this.forget = forget;
    this.left = new Left(open);
  }

  /// Has the manager forgotten once `loader` is gone, and released once nobody refers to it.
  synchronized void await(ClassLoader loader, Object manager) {
    used = CLEANER.register(manager, left);
    found = CLEANER.register(loader, forget);
  }

  /// Notes that the manager is closed, and has the provider forget it.
  synchronized void closed() {
    left.closed = true;
    for (Cleaner.Cleanable each : new Cleaner.@Nullable Cleanable[] {used, found}) {
      if (each != null) {
        each.clean();
      }
    }
  }
}
