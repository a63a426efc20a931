package io.varve.cli;

import io.varve.KeySource;
import io.varve.admin.StoreKeys;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.transfer.JsonLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "rekey",
    description = "Change the key of an encrypted store.",
    footer =
        """

        --key-file names the key so far. Only the store's file of keys is written, so it is quick
        for any size. If it is cut short, the key so far or the new one is in force.

        Example:
          openssl rand -hex 32 > new.key && chmod 600 new.key
          varve rekey --key-file old.key --new-key-file new.key\
        """)
final class RekeyCommand implements Callable<Integer> {
  private final Stores stores;

  @ParentCommand @Nullable VarveCommand root;

  @Option(
      names = "--new-key-file",
      paramLabel = "FILE",
      required = true,
      description = "The key from now on: 32 bytes, raw, in hex or Base64.")
  Path newKeyFile = Path.of("");

  @Mixin final ResultOptions result = new ResultOptions();

  RekeyCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() {
    VarveCommand named = root;
    KeySource old = stores.key();
    if (named == null || old == null) {
      throw CommandException.usage("name the key so far by --key-file or VARVE_KEY_FILE");
    }
    StoreKeys.change(named.directory(), old, KeySource.file(newKeyFile));
    result.print(
        stores.stdio(),
        "key changed: the store opens with " + newKeyFile + " from now on",
        JsonLine.of("keyFile", newKeyFile.toString()));
    return ExitCode.OK;
  }
}
