package io.varve.cli.manual;

import io.varve.cli.console.ExitCode;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The manual page, in the macros of `man`: all commands on one page.
public final class ManualPage {
  private final StringBuilder text = new StringBuilder();

  private ManualPage() {}

  /// The page for the program and its commands, with those options of each that are its own.
  public static String of(CommandLine tree) {
    var page = new ManualPage();
    page.program(tree);
    return page.text.toString();
  }

  private void program(CommandLine tree) {
    String name = tree.getCommandName();
    macro(".TH " + name.toUpperCase(Locale.ROOT) + " 1");
    macro(".SH NAME");
    macro(escape(name) + " \\- " + escape(CommandTexts.description(tree)));
    macro(".SH SYNOPSIS");
    macro(".B " + escape(name) + "\n[OPTIONS] COMMAND [ARGUMENTS]");
    macro(".SH COMMANDS");
    commands("", tree);
    macro(".SH OPTIONS OF ALL COMMANDS");
    tree.getCommandSpec().options().forEach(this::option);
    macro(".SH EXIT STATUS");
    ExitCode.meanings().forEach((code, meaning) -> tagged(String.valueOf(code), meaning));
    macro(".SH ENVIRONMENT");
    tagged("NO_COLOR", "Set to anything, it has the command print no colours on terminals.");
    tagged(
        "VARVE_STORE, VARVE_KEY_FILE", "What --store and --key-file are where they are left out.");
    tagged("VARVE_JAVA_HOME, VARVE_JAVA_OPTIONS", "The JDK, and options for it.");
    macro(".SH NOTES");
    verbatim(tree.getCommandSpec().usageMessage().footer());
  }

  private void commands(String before, CommandLine tree) {
    for (Map.Entry<String, CommandLine> entry : CommandTexts.commands(tree).entrySet()) {
      String words = before + entry.getKey();
      CommandLine command = entry.getValue();
      macro(".SS " + escape(words + parameters(command)));
      macro(escape(CommandTexts.description(command)));
      for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
        tagged(parameter.paramLabel(), CommandTexts.description(parameter));
      }
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (CommandTexts.isOwn(option)) {
          option(option);
        }
      }
      verbatim(command.getCommandSpec().usageMessage().footer());
      commands(words + " ", command);
    }
  }

  private static String parameters(CommandLine command) {
    var labels = new StringBuilder();
    for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
      String label = parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
      labels.append(parameter.arity().min() > 0 ? " " + label : " [" + label + "]");
    }
    return labels.toString();
  }

  private void option(OptionSpec option) {
    if (!option.hidden()) {
      String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
      tagged(String.join(", ", option.names()) + value, CommandTexts.description(option));
    }
  }

  private void tagged(String tag, String description) {
    macro(".TP");
    macro(".B " + escape(tag));
    macro(escape(description));
  }

  /// Text whose lines are kept, such as examples.
  private void verbatim(String... lines) {
    String all = String.join("\n", lines).strip();
    if (!all.isEmpty()) {
      macro(".PP");
      macro(".nf");
      all.lines().forEach(line -> macro(escape(line)));
      macro(".fi");
    }
  }

  private void macro(String line) {
    text.append(line).append('\n');
  }

  /// What would be a macro, an escape or a hyphen that breaks lines, as plain text.
  private static String escape(String line) {
    String plain = line.replace("\\", "\\e").replace("-", "\\-");
    return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
  }
}
