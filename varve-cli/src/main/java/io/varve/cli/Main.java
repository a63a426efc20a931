package io.varve.cli;

import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Stdio;
import java.io.UncheckedIOException;
import picocli.CommandLine;

/// The entry of the `varve` command.
public final class Main {
  private Main() {}

  /// Runs one command and ends the process with its exit code.
  public static void main(String[] arguments) {
    System.exit(run(Stdio.ofProcess(), arguments));
  }

  /// Runs one command over the streams given; gives its exit code.
  static int run(Stdio stdio, String... arguments) {
    var root = new VarveCommand();
    CommandLine tree = CommandTree.forArguments(root, new DirectoryStores(root, stdio), arguments);
    Failures failures = new Failures(stdio.err(), () -> root.debug);
    int code = ExitCode.OK;
    try {
      code = tree.execute(arguments);
      tree.getOut().flush();
      stdio.flush();
      return code;
    } catch (UncheckedIOException e) {
      // An output that failed the command fails the flush as well, and was reported.
      return code == ExitCode.STORE ? code : failures.report(e);
    } catch (Error e) {
      return failures.report(e);
    }
  }
}
