package io.varve.cli.manual;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Texts of picocli's model, without the marks that its own help replaces.
final class CommandTexts {
  private CommandTexts() {}

  /// The commands without the second names of any, in the order of the help.
  static Map<String, CommandLine> commands(CommandLine tree) {
    var commands = new LinkedHashMap<>(tree.getSubcommands());
    commands.remove("help"); // shows what --help shows
    return commands;
  }

  /// Whether an option is one of a command alone: each has those of all commands as well.
  static boolean isOwn(OptionSpec option) {
    return !option.inherited() && !option.usageHelp() && !option.versionHelp() && !option.hidden();
  }

  static String description(CommandLine command) {
    return plain(command.getCommandSpec().usageMessage().description());
  }

  static String description(ArgSpec argument) {
    return plain(argument.description());
  }

  private static String plain(String... lines) {
    return String.join(" ", lines).replace("%n", " ").replace("%%", "%").replace("$$", "$").strip();
  }
}
