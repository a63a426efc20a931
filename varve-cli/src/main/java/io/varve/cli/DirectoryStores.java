package io.varve.cli;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Progress;
import io.varve.cli.console.Shutdown;
import io.varve.cli.console.Stdio;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Opens the store that the command line names, for one command. A signal closes it cleanly.
final class DirectoryStores implements Stores {
  private final VarveCommand root;
  private final Stdio stdio;

  DirectoryStores(VarveCommand root, Stdio stdio) {
    this.root = root;
    this.stdio = stdio;
  }

  @Override
  public Stdio stdio() {
    return stdio;
  }

  @Override
  public @Nullable KeySource key() {
    return root.key();
  }

  @Override
  public <T> T use(Function<Store, T> work) {
    return openPresent(root.options(), work);
  }

  /// Without a change to the directory: a store to recover is recovered in memory.
  @Override
  public <T> T read(Function<Store, T> work) {
    return openPresent(root.options().readOnly(true), work);
  }

  private <T> T openPresent(StoreOptions options, Function<Store, T> work) {
    Path directory = root.directory();
    if (!Files.isDirectory(directory)) {
      throw CommandException.store(
          "no store there: "
              + directory
              + "; name another by --store or VARVE_STORE, or make one by 'put' or 'load'");
    }
    return open(directory, options.createIfMissing(false), work);
  }

  @Override
  public <T> T useOrCreate(Function<Store, T> work) {
    return open(root.directory(), root.options(), work);
  }

  private <T> T open(Path directory, StoreOptions options, Function<Store, T> work) {
    Store store = open(directory, options);
    // The hook stays until the store is closed, so that the process waits for a close under way.
    try (Shutdown.Hook _ = Shutdown.onSignal(store::close);
        store) {
      return work.apply(store);
    }
  }

  /// Opens a store, which after a crash takes a while.
  private Store open(Path directory, StoreOptions options) {
    try (var _ = Progress.start(stdio, "open")) {
      return Store.open(directory, options);
    } catch (IllegalArgumentException e) { // a compression that is not there
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }
}
