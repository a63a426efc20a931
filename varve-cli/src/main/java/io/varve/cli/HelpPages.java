package io.varve.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// What the help of one command shows: its own options. Those that all commands take are in `varve
/// --help` alone, except the few that everybody needs.
final class HelpPages {
  /// From how many characters on a line of a source text takes no other word.
  private static final int FULL_LINE = 72;

  private static final Set<String> OF_EACH = Set.of("--store", "--debug", "--help", "--version");

  /// The end of a line that is full, before one that is no new paragraph and no example.
  private static final Pattern LINE_BREAK =
      Pattern.compile("(?m)^(\\S.{" + (FULL_LINE - 1) + ",})\n(?=[^\\s])");

  private HelpPages() {}

  static void shorten(CommandLine tree) {
    for (CommandLine command : tree.getSubcommands().values()) {
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      usage.abbreviateSynopsis(true);
      usage.footer(Arrays.stream(usage.footer()).map(HelpPages::flowing).toArray(String[]::new));
      command
          .getHelpSectionMap()
          .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPages::optionList);
      shorten(command);
    }
  }

  /// Text whose paragraphs are one line each, which are broken to the width of the terminal. As
  /// they are broken in the source, lines would be broken twice.
  private static String flowing(String text) {
    return LINE_BREAK.matcher(text).replaceAll("$1 ");
  }

  private static String optionList(Help help) {
    List<OptionSpec> own =
        help.commandSpec().options().stream()
            .filter(option -> !option.inherited() || OF_EACH.contains(option.longestName()))
            .toList();
    String list = help.optionListExcludingGroups(own);
    return own.size() == help.commandSpec().options().size()
        ? list
        : list + "Options for all stores, as of memory, keys and compression: varve --help\n";
  }
}
