package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.ExitCode;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.Stdio;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// The commands by name, and the tree that picocli parses with. To look into a command class takes
/// time at every start, so a tree holds only commands that the arguments name; without any, as for
/// the list of commands, it holds all.
final class CommandTree {
  /// In the order of the list that `--help` shows.
  enum Name {
    DEMO(DemoCommand::new),
    SHELL(stores -> new ShellCommand(stores, CommandTree::forShell)),
    GET(GetCommand::new),
    PUT(PutCommand::new),
    DELETE(DeleteCommand::new),
    SCAN(ScanCommand::new),
    COUNT(CountCommand::new),
    QUERY(QueryCommand::new),
    INDEX(IndexCommand::new),
    ITEMS(ItemsCommand::new),
    SPACES(SpacesCommand::new),
    LOAD(LoadCommand::new),
    DUMP(DumpCommand::new),
    STATS(StatsCommand::new),
    TOP(TopCommand::new),
    VERIFY(VerifyCommand::new),
    CHECKPOINT(CheckpointCommand::new),
    COMPACT(CompactCommand::new),
    BACKUP(BackupCommand::new),
    RESTORE(RestoreCommand::new),
    SALVAGE(SalvageCommand::new),
    REKEY(RekeyCommand::new),
    SIMULATE(SimulateCommand::new),
    SERVE("Serve caches: Hot Rod, REST, Redis' and memcached's protocols.", "serve --data data"),
    USER("Add, list and remove the users of a node.", "user --help"),
    NODE("Back up nodes that run, and make nodes of backups.", "node --help"),
    IMPORT("Read caches of Infinispan into Varve.", "import --help"),
    COMPLETION(
        stores -> new CompletionCommand(stores, () -> forArguments(new VarveCommand(), stores))),
    BENCH("Measure this machine, Varve and its peers (from a source tree).", "bench --help"),
    TEST("Build everything and run every test (from a source tree).", "test --quick"),
    RELEASE("Build a release into a directory (from a source tree).", "release --dry-run"),
    SITE("Make a site of the guides and the API (from a source tree).", "site");

    /// What makes no sense within a shell.
    static final Set<Name> OUTSIDE_SHELL =
        EnumSet.of(
            DEMO,
            SHELL,
            TOP,
            RESTORE,
            SALVAGE,
            REKEY,
            SIMULATE,
            SERVE,
            USER,
            NODE,
            IMPORT,
            COMPLETION,
            BENCH,
            TEST,
            RELEASE,
            SITE);

    private final Function<Stores, Object> command;

    Name(Function<Stores, Object> command) {
      this.command = command;
    }

    /// A command of the launcher.
    Name(String description, String example) {
      this.command = stores -> LauncherCommand.of(stores, word(), description, example);
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private CommandTree() {}

  /// The tree for one command line.
  static CommandLine forArguments(VarveCommand root, Stores stores, String... arguments) {
    Set<String> words = new HashSet<>(Arrays.asList(arguments));
    Name[] named =
        Stream.of(Name.values()).filter(name -> words.contains(name.word())).toArray(Name[]::new);
    return build(root, stores, () -> root.debug, named.length == 0 ? Name.values() : named);
  }

  /// The tree for every line of a shell.
  static CommandLine forShell(ShellRoot root, Stores stores) {
    return build(
        root,
        stores,
        () -> root.debug,
        Stream.of(Name.values())
            .filter(name -> !Name.OUTSIDE_SHELL.contains(name))
            .toArray(Name[]::new));
  }

  private static CommandLine build(
      Object root, Stores stores, BooleanSupplier debug, Name[] names) {
    var tree = new CommandLine(root);
    for (Name name : names) {
      tree.addSubcommand(name.word(), name.command.apply(stores));
    }
    HelpPages.shorten(tree);
    Stdio stdio = stores.stdio();
    var failures = new Failures(stdio.err(), debug);
    return tree.setOut(new PrintWriter(stdio.out(), /* autoFlush= */ false, UTF_8))
        .setErr(new PrintWriter(stdio.err(), /* autoFlush= */ true, stdio.err().charset()))
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(80)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(CommandTree::reportUsage)
        .setExecutionExceptionHandler((failure, _, _) -> failures.report(failure));
  }

  /// One line on what is wrong and one on where to read more; the whole help would hide it.
  private static int reportUsage(CommandLine.ParameterException failure, String... arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("varve: " + KeyText.shown(message(failure)));
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, err)) {
      String words = command.getCommandSpec().qualifiedName() + " --help"; // a shell has no name
      err.println("Try '" + words.strip() + "'.");
    }
    return ExitCode.USAGE;
  }

  private static String message(CommandLine.ParameterException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!(failure instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return message;
    }
    String word = unmatched.getUnmatched().getFirst();
    CommandLine command = failure.getCommandLine();
    if (command.getCommand() instanceof ShellRoot
        && Name.OUTSIDE_SHELL.stream().anyMatch(name -> name.word().equals(word))) {
      return "no command of a shell: " + word + "; run 'varve " + word + "' outside of it";
    }
    return command.getCommandName().equals(Name.QUERY.word()) && !word.startsWith("-")
        ? message + "; a query is one argument: put it in quotes"
        : message;
  }
}
