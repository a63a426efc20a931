package io.varve.cli;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Progress;
import io.varve.cli.console.Shutdown;
import io.varve.cli.console.Stdio;
import io.varve.control.ControlClient;
import io.varve.control.ControlException;
import io.varve.control.ControlSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Opens the store that the command line names, for one command. A signal closes it cleanly.
final class DirectoryStores implements Stores {
  private static final String LOCK_FILE = "lock";
  private static final String NO_STORE = "no store there: ";

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
  public Path directory() {
    return root.directory();
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

  /// A store that another process has open is asked through its control socket.
  @Override
  public <T> T look(Function<Store, T> local, Function<ControlClient, T> remote) {
    StoreOptions options = root.options().readOnly(true).createIfMissing(false);
    Path directory = presentDirectory();
    Store store;
    try {
      store = open(directory, options);
    } catch (StoreLockedException e) {
      return ask(directory, e, remote);
    }
    return run(store, local);
  }

  private <T> T ask(
      Path directory, StoreLockedException locked, Function<ControlClient, T> remote) {
    var client = new ControlClient(directory);
    if (!client.isPresent()) {
      throw CommandException.store(
          locked.getMessage()
              + ". Or let that process open a control socket, by ControlSocket.open(store,"
              + " directory) of varve-control: then get, scan, count, query, spaces, stats and top"
              + " work while it runs");
    }
    stdio.err().println("varve: another process has the store open; asking its control socket");
    try {
      return remote.apply(client);
    } catch (ControlException e) {
      throw switch (e.reason()) {
        case NOT_FOUND -> CommandException.notFound(String.valueOf(e.getMessage()));
        case BAD_REQUEST -> CommandException.usage(String.valueOf(e.getMessage()), e);
        case REFUSED, BUSY, TOO_LONG, FAILED ->
            CommandException.store(String.valueOf(e.getMessage()), e);
      };
    }
  }

  @Override
  public @Nullable ControlSocket control(Store store) {
    try {
      return ControlSocket.open(store, root.directory());
    } catch (UncheckedIOException e) {
      stdio.err().println("varve: there is no control socket: " + e.getCause());
      return null;
    }
  }

  private <T> T openPresent(StoreOptions options, Function<Store, T> work) {
    Path directory = presentDirectory();
    return run(open(directory, options.createIfMissing(false)), work);
  }

  private Path presentDirectory() {
    Path directory = root.directory();
    if (!Files.isDirectory(directory) || !mayBeStore(directory)) {
      throw missing(directory);
    }
    return directory;
  }

  private static CommandException missing(Path directory) {
    return CommandException.store(
        NO_STORE
            + directory
            + "; name another by --store or VARVE_STORE, or make one by 'put' or 'load'");
  }

  /// Whether a directory has more than the lock file, which a look at it may have left.
  private static boolean mayBeStore(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> !file.endsWith(LOCK_FILE));
    } catch (IOException _) {
      return true; // the open states what is wrong
    }
  }

  @Override
  public <T> T useOrCreate(Function<Store, T> work) {
    return run(open(root.directory(), root.options()), work);
  }

  private static <T> T run(Store store, Function<Store, T> work) {
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
    } catch (StoreIoException e) {
      throw String.valueOf(e.getMessage()).startsWith(NO_STORE) ? missing(directory) : e;
    } catch (IllegalArgumentException e) { // a compression that is not there
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }
}
