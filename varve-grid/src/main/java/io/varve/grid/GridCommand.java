package io.varve.grid;

import io.varve.grid.migration.ImportCommand;
import io.varve.grid.security.UserCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// The parent of the commands of this module. It bears the name of the whole command, as users see
/// one.
@Command(
    name = "varve",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = GridCommand.Version.class,
    subcommands = {
      ServeCommand.class,
      UserCommand.class,
      NodeCommand.class,
      ImportCommand.class,
      HelpCommand.class
    },
    sortOptions = false,
    description = "Caches that are served to clients, and kept in Varve.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:done, except what was damaged",
      "2:the command line makes no sense",
      "3:the node or a file could not be used"
    })
final class GridCommand {
  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      order = 120,
      description = "Print the stack trace of an error.")
  boolean debug;

  /// The version that the jar was built as.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = GridCommand.class.getPackage().getImplementationVersion();
      return new String[] {
        "varve " + (version == null ? "(unpackaged)" : version),
        "Infinispan " + org.infinispan.commons.util.Version.getVersion(),
        "Java " + Runtime.version()
      };
    }
  }
}
