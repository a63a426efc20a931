package io.varve.cache.internal.jcache;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/// Closes a manager when its class loader was collected: a provider finds it by that alone, and its
/// store would keep the directory locked until the process ends.
///
/// A manager with open caches refers to the loader, so it is never closed by this. Safe for
/// threads.
final class Ending {
  private static final System.Logger LOGGER = System.getLogger(Ending.class.getName());

  private static final Cleaner CLEANER = Cleaner.create();

  private final Action action;
  private Cleaner.@Nullable Cleanable cleanable; // guarded by this

  /// What is left of a manager when its loader is gone.
  static final class Action implements Runnable {
    private volatile @Nullable AutoCloseable manager;

    private Action(AutoCloseable manager) {
      this.manager = manager;
    }

    @Override
    public void run() {
      AutoCloseable open = manager;
      if (open == null) {
        return;
      }
      try {
        open.close();
      } catch (Exception e) { // nobody is there to receive it
        LOGGER.log(
            System.Logger.Level.WARNING,
            "a manager of caches was not closed before its class loader went, and fails to close",
            e);
      }
    }
  }

  Ending(AutoCloseable manager) {
    this.action = new Action(manager);
  }

  /// Closes the manager once `loader` is gone.
  synchronized void await(ClassLoader loader) {
    cleanable = CLEANER.register(loader, action);
  }

  /// Notes that the manager is closed.
  synchronized void forget() {
    action.manager = null;
    Cleaner.Cleanable registered = cleanable;
    if (registered != null) {
      registered.clean();
    }
  }
}
