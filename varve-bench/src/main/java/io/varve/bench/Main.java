package io.varve.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The head of `varve bench`.
@Command(
    name = "varve bench",
    mixinStandardHelpOptions = true,
    description = "Measures Varve beside other stores.")
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a benchmark is missing");
  }

  /// Runs the benchmark named by the arguments and ends the process with its exit code.
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
