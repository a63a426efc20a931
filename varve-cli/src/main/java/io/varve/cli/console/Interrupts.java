package io.varve.cli.console;

/// Lets Ctrl-C in the shell end a long command between two entries. The store itself heeds no
/// interrupt.
public final class Interrupts {
  private Interrupts() {}

  /// Looks at the current thread.
  ///
  /// @throws CommandException if it was interrupted; the flag is cleared
  public static void check() {
    if (Thread.interrupted()) {
      throw CommandException.interrupted();
    }
  }
}
