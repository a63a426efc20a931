package io.varve.cli.console;

/// The end of the process by a signal (Ctrl-C, SIGTERM): what must be closed then, and whether it
/// has come.
public final class Shutdown {
  private static volatile boolean underWay;

  private Shutdown() {}

  /// Whether the process is ending, so that failures of what is being closed mean nothing.
  public static boolean isUnderWay() {
    return underWay;
  }

  /// Runs `action` when a signal ends the process; the process waits for it.
  public static Hook onSignal(Runnable action) {
    var thread =
        new Thread(
            () -> {
              underWay = true;
              action.run();
            },
            "varve-shutdown");
    Runtime.getRuntime().addShutdownHook(thread);
    return new Hook(thread);
  }

  /// A registered action.
  public static final class Hook implements AutoCloseable {
    private final Thread thread;

    private Hook(Thread thread) {
      this.thread = thread;
    }

    /// Forgets the action. Without effect once the process is ending: then the action runs.
    @Override
    public void close() {
      if (!underWay) {
        try {
          Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
          underWay = true; // The process began to end since the look above.
        }
      }
    }
  }
}
