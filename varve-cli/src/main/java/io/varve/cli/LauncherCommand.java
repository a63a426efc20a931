package io.varve.cli;

import io.varve.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/// A command of which only the name is here, for the list of commands and for completion: the
/// launcher runs it without this program.
@Command
final class LauncherCommand implements Callable<Integer> {
  private final Stores stores;

  @Spec @Nullable CommandSpec spec;

  /// Options of a program that is not here.
  @Unmatched final List<String> ignored = new ArrayList<>();

  private LauncherCommand(Stores stores) {
    this.stores = stores;
  }

  static CommandLine of(Stores stores, String word, String description, String example) {
    var command = new CommandLine(new LauncherCommand(stores));
    command
        .getCommandSpec()
        .name(word)
        .usageMessage()
        .description(description)
        .footer("", "Example:", "  varve " + example);
    return command;
  }

  @Override
  public Integer call() {
    String word = spec == null ? "" : spec.name();
    stores
        .stdio()
        .err()
        .println("varve: the launcher, varve or ./varve, runs '" + word + "', and not this module");
    return ExitCode.USAGE;
  }
}
