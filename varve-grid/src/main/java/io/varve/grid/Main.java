package io.varve.grid;

import picocli.CommandLine;

/// The entry of the commands that need Infinispan, which `./varve` passes on to here.
public final class Main {
  private Main() {}

  /// Runs one command and ends the process with its exit code.
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    var command = new GridCommand();
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, line, _) -> Failures.report(failure, line.getErr(), command.debug));
  }
}
