package io.varve.cli;

import io.varve.cli.console.CommandException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of [VarveCommand], which every command takes, where a command opens no store that
/// they could be about.
final class InheritedOptions {
  /// Those that are about the command itself.
  private static final Set<String> OF_ALL = Set.of("--debug", "--help", "--version");

  private InheritedOptions() {}

  /// Refuses options that would change nothing: a user who gives one believes that it does.
  ///
  /// @throws CommandException if there are any
  static void requireNone(@Nullable CommandSpec command, String reason) {
    if (command == null) {
      return; // not run from a command line
    }
    CommandSpec parent = command.parent();
    List<String> ignored =
        Stream.concat(
                command.commandLine().getParseResult().matchedOptions().stream()
                    .filter(OptionSpec::inherited),
                parent == null
                    ? Stream.empty()
                    : parent.commandLine().getParseResult().matchedOptions().stream())
            .map(OptionSpec::longestName)
            .filter(name -> !OF_ALL.contains(name))
            .distinct()
            .toList();
    if (!ignored.isEmpty()) {
      throw CommandException.usage(
          "'" + command.name() + "' takes no " + String.join(", ", ignored) + ": " + reason);
    }
  }
}
