package io.varve.cli;

import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// What the help of one command shows: its own options. Those that all commands take are in `varve
/// --help` alone, except the few that everybody needs.
final class HelpPages {
  private static final Set<String> OF_EACH = Set.of("--store", "--debug", "--help", "--version");

  private HelpPages() {}

  static void shorten(CommandLine tree) {
    for (CommandLine command : tree.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
      command
          .getHelpSectionMap()
          .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPages::optionList);
      shorten(command);
    }
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
