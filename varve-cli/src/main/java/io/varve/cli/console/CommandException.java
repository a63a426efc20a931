package io.varve.cli.console;

/// Ends a command with one line for the user and an exit code.
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  private CommandException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /// What was asked for is not there.
  public static CommandException notFound(String message) {
    return new CommandException(ExitCode.NEGATIVE, message);
  }

  /// A check of the store found damage.
  public static CommandException failedCheck(String message, Throwable cause) {
    return new CommandException(ExitCode.NEGATIVE, message, cause);
  }

  /// What was typed or fed in makes no sense.
  public static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }

  /// What was typed or fed in makes no sense, for the reason given.
  public static CommandException usage(String message, Throwable cause) {
    return new CommandException(ExitCode.USAGE, message, cause);
  }

  /// Refuses a number of threads that is more than a command starts.
  public static void requireThreads(int threads, int max) {
    if (threads > max) {
      throw usage("--threads is too many: threads=" + threads + ", max=" + max);
    }
  }

  /// The store cannot be used.
  public static CommandException store(String message) {
    return new CommandException(ExitCode.STORE, message);
  }

  /// The store cannot be used, for the reason given.
  public static CommandException store(String message, Throwable cause) {
    return new CommandException(ExitCode.STORE, message, cause);
  }

  /// The thread was interrupted: in the shell, by Ctrl-C.
  public static CommandException interrupted() {
    return new CommandException(ExitCode.INTERRUPTED, "interrupted");
  }

  /// What the process ends with.
  public int exitCode() {
    return exitCode;
  }
}
