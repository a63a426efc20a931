package io.varve.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// What is above the commands of a shell. The store is open, so there is none to name.
@Command(
    name = "",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = VarveCommand.Version.class,
    subcommands = {HelpCommand.class},
    sortOptions = false,
    synopsisHeading = "Usage:",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands ('COMMAND --help' shows more; Ctrl-D or 'exit' ends):%n",
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%n")
final class ShellRoot {
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      order = 102,
      description = "Print the stack trace of an error.")
  boolean debug;

  private boolean ended;

  /// Whether the user has asked to leave.
  boolean hasEnded() {
    return ended;
  }

  @Command(name = "exit", aliases = "quit", description = "Leave the shell and close the store.")
  final class Exit implements Callable<Integer> {
    @Override
    public Integer call() {
      ended = true;
      return 0;
    }
  }
}
