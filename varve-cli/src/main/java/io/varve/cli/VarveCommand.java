package io.varve.cli;

import io.varve.KeySource;
import io.varve.StoreOptions;
import io.varve.cli.console.CommandException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// What is above all commands: the options that each of them takes.
@Command(
    name = "varve",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = VarveCommand.Version.class,
    subcommands = HelpCommand.class,
    sortOptions = false,
    description = "A durable, ordered key-value store: look into one, fill it, check it.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%n",
    footer =
        """

        Results go to standard output, all else to standard error. Exit codes: 0 done, 1 not found
        or a check failed, 2 the command line or the input makes no sense, 3 the store or a file
        could not be used, 130 interrupted, 141 nobody reads the output any more.

        Examples:
          varve demo
          varve put users alice '{"age": 42}'
          varve scan users --prefix a --limit 10
          varve dump -s old | varve load -s new --format jsonl -\
        """)
final class VarveCommand {
  private static final String DEFAULT_DIRECTORY = "varve-data";

  @Option(
      names = {"-s", "--store"},
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      order = 100,
      description = "Directory of the store. Default: $$VARVE_STORE, or " + DEFAULT_DIRECTORY + ".")
  @Nullable Path store;

  @Option(
      names = "--cache",
      paramLabel = "SIZE",
      scope = ScopeType.INHERIT,
      order = 101,
      converter = ByteSizeConverter.class,
      description = "Memory for pages, as 256m or 2g. Default: a quarter of the heap.")
  @Nullable Long cacheBytes;

  @Option(
      names = "--disk-max",
      paramLabel = "SIZE",
      scope = ScopeType.INHERIT,
      order = 102,
      converter = ByteSizeConverter.class,
      description = "The most that the store's files may take on disk, as 500m. Default: no bound.")
  @Nullable Long diskBytesMax;

  @Option(
      names = "--archive-log",
      scope = ScopeType.INHERIT,
      order = 103,
      description = "Archive the log, for 'restore' to any commit or time after a backup.")
  boolean archiveLog;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      order = 104,
      description =
          "Key of an encrypted store: 32 bytes, raw, in hex or Base64. Default: $$VARVE_KEY_FILE.")
  @Nullable Path keyFile;

  @Option(
      names = "--compress",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      order = 105,
      description =
          "Compress pages that are written: none, deflate, lz4, zstd. Default: none. What is there "
              + "can be read whatever is named here.")
  String compression = "none";

  @Mixin ModeOptions modes = new ModeOptions();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      order = 120,
      description = "Print the stack trace of an error.")
  boolean debug;

  Path directory() {
    if (store != null) {
      return store;
    }
    String environment = System.getenv("VARVE_STORE");
    return Path.of(environment == null || environment.isEmpty() ? DEFAULT_DIRECTORY : environment);
  }

  /// The options of the store.
  ///
  /// @throws CommandException if one is out of range
  StoreOptions options() {
    try {
      return chosenOptions();
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }

  private StoreOptions chosenOptions() {
    StoreOptions options = StoreOptions.defaults().archiveLog(archiveLog).compression(compression);
    if (cacheBytes != null) {
      options = options.cacheBytes(cacheBytes);
    }
    if (diskBytesMax != null) {
      options = options.diskBytesMax(diskBytesMax);
    }
    options = modes.applyTo(options);
    KeySource key = key();
    return key == null ? options : options.encryption(key);
  }

  /// The key of the store, or null if none was named.
  @Nullable KeySource key() {
    if (keyFile != null) {
      return KeySource.file(keyFile);
    }
    String environment = System.getenv("VARVE_KEY_FILE");
    return environment == null || environment.isEmpty()
        ? null
        : KeySource.file(Path.of(environment));
  }

  /// The version that the module was built as.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var descriptor = VarveCommand.class.getModule().getDescriptor();
      String version =
          descriptor == null ? "(unpackaged)" : descriptor.rawVersion().orElse("(unpackaged)");
      return new String[] {"varve " + version, "Java " + Runtime.version()};
    }
  }
}
