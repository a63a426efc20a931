package io.varve.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The head of the `varve` command.
@Command(
    name = "varve",
    mixinStandardHelpOptions = true,
    description = "An embedded, durable, ordered key-value store.")
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /// Runs the command named by the arguments and ends the process with its exit code.
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
