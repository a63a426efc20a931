package io.varve.cli;

import io.varve.Store;
import io.varve.cli.console.Stdio;
import io.varve.cli.shell.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(
    name = "shell",
    description = "Open the store once and run commands on it, with completion and history.",
    footer =
        """

        Tab completes commands, options, spaces and keys. Ctrl-C ends the command that runs; Ctrl-D
        or 'exit' the shell. The history is in ~/.varve_history.
        If the input is no terminal, each of its lines is a command; then the exit code is that of
        the last command that failed, or 0.

        Examples:
          varve shell
          printf 'put users bob 1\\nget users bob\\n' | varve shell\
        """)
final class ShellCommand implements Callable<Integer> {
  private final Stores stores;
  private final BiFunction<ShellRoot, Stores, CommandLine> commands;

  /// @param commands makes the commands of a shell
  ShellCommand(Stores stores, BiFunction<ShellRoot, Stores, CommandLine> commands) {
    this.stores = stores;
    this.commands = commands;
  }

  @Override
  public Integer call() {
    return stores.use(store -> {
      try (var _ = stores.control(store)) {
        return run(store);
      }
    });
  }

  private int run(Store store) {
    Stdio stdio = stores.stdio();
    var root = new ShellRoot();
    var inShell = new ShellStores(store, stores.directory(), stdio.withInput(new NoInput()));
    CommandLine tree = commands.apply(root, inShell);
    tree.addSubcommand(root.new Exit());
    var failures = new Failures(stdio.err(), () -> root.debug);
    var shell = new Shell(tree, root::hasEnded, store, stdio, failures::report);
    try {
      return stdio.inIsTerminal() && stdio.outIsTerminal()
          ? shell.runInteractively()
          : shell.runScript();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The input of a command in a shell, whose own input are the commands.
  private static final class NoInput extends InputStream {
    @Override
    public int read() throws IOException {
      throw failure();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      throw failure();
    }

    private static IOException failure() {
      return new IOException("a shell command has no input of its own; name a value or a file");
    }
  }
}
