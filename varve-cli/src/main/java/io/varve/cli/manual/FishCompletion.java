package io.varve.cli.manual;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// Completions of the shell fish, for which picocli has none.
public final class FishCompletion {
  private final StringBuilder text = new StringBuilder();
  private final String program;

  private FishCompletion(String program) {
    this.program = program;
  }

  /// The file of completions for the program and its commands.
  public static String of(CommandLine tree) {
    var completion = new FishCompletion(tree.getCommandName());
    for (Map.Entry<String, CommandLine> command : CommandTexts.commands(tree).entrySet()) {
      completion.command("__fish_use_subcommand", command.getKey(), command.getValue());
    }
    for (OptionSpec option : tree.getCommandSpec().options()) {
      completion.option("", option);
    }
    for (Map.Entry<String, CommandLine> command : CommandTexts.commands(tree).entrySet()) {
      completion.within("__fish_seen_subcommand_from " + command.getKey(), command.getValue());
    }
    return completion.text.toString();
  }

  private void within(String condition, CommandLine command) {
    for (Map.Entry<String, CommandLine> part : CommandTexts.commands(command).entrySet()) {
      command(condition, part.getKey(), part.getValue());
    }
    for (OptionSpec option : command.getCommandSpec().options()) {
      // Those of all commands are there once, without a condition.
      if (CommandTexts.isOwn(option)) {
        option(condition, option);
      }
    }
  }

  private void command(String condition, String word, CommandLine command) {
    line(condition, " -f -a " + word, CommandTexts.description(command));
  }

  private void option(String condition, OptionSpec option) {
    if (option.hidden()) {
      return;
    }
    var words = new StringBuilder();
    for (String name : option.names()) {
      words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      words.append(" -r");
    }
    line(condition, words.toString(), CommandTexts.description(option));
  }

  private void line(String condition, String words, String description) {
    text.append("complete -c ").append(program);
    if (!condition.isEmpty()) {
      text.append(" -n '").append(condition).append('\'');
    }
    text.append(words)
        .append(" -d '")
        .append(description.replace("\\", "\\\\").replace("'", "\\'"))
        .append("'\n");
  }
}
