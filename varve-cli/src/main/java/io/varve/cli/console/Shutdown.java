package io.varve.cli.console;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The end of the process by a signal (Ctrl-C, SIGTERM): what must be closed then, and whether it
/// has come. What was registered last is closed first, one after the other, and the process waits.
public final class Shutdown {
  private static volatile boolean underWay;

  /// What is registered, the last first. Guarded by itself.
  private static final Deque<Hook> HOOKS = new ArrayDeque<>();

  /// Guarded by [#HOOKS].
  private static boolean isKnown;

  private Shutdown() {}

  /// Whether the process is ending, so that failures of what is being closed mean nothing.
  public static boolean isUnderWay() {
    return underWay;
  }

  /// Runs `action` when a signal ends the process; the process waits for it.
  public static Hook onSignal(Runnable action) {
    var hook = new Hook(action);
    synchronized (HOOKS) {
      if (!isKnown) {
        Runtime.getRuntime().addShutdownHook(new Thread(Shutdown::run, "varve-shutdown"));
        isKnown = true;
      }
      HOOKS.push(hook);
    }
    return hook;
  }

  private static void run() {
    Hook hook = next();
    if (hook != null) {
      try {
        hook.action.run();
      } finally {
        run(); // whatever became of the last
      }
    }
  }

  /// Takes the next action. Without one the process ends normally, and nothing is under way.
  private static @Nullable Hook next() {
    synchronized (HOOKS) {
      underWay |= !HOOKS.isEmpty();
      return HOOKS.poll();
    }
  }

  /// A registered action.
  public static final class Hook implements AutoCloseable {
    private final Runnable action;

    private Hook(Runnable action) {
      this.action = action;
    }

    /// Forgets the action, unless it runs or has run.
    @Override
    public void close() {
      synchronized (HOOKS) {
        HOOKS.remove(this);
      }
    }
  }
}
