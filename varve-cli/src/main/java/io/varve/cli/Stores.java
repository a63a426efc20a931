package io.varve.cli;

import io.varve.KeySource;
import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Stdio;
import io.varve.cli.documents.Documents;
import io.varve.control.ControlClient;
import io.varve.control.ControlSocket;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Where a command finds its store and its streams: on its own it opens a directory and closes it
/// again, in the shell it uses the store that is open.
interface Stores {
  /// The streams of the command.
  Stdio stdio();

  /// The directory of the store, which may be absent.
  Path directory();

  /// The key that was named, or null if none was.
  @Nullable KeySource key();

  /// Gives the store to `work`. A store that does not exist is an error.
  <T> T use(Function<Store, T> work);

  /// Gives the store to `work`, which only reads: it may be open read-only. A store that does not
  /// exist is an error.
  <T> T read(Function<Store, T> work);

  /// Gives the store to `local`, which only reads, or the process that has it open to `remote`: one
  /// of the two is called.
  <T> T look(Function<Store, T> local, Function<ControlClient, T> remote);

  /// Lets the commands that only read look into a store for as long as this process has it open.
  /// Close it before the store.
  ///
  /// @return null where that cannot be; then the user is notified
  @Nullable ControlSocket control(Store store);

  /// Gives the store to `work`, made first if there is none.
  <T> T useOrCreate(Function<Store, T> work);

  /// Gives a space of the store, with its indexes, to `work`.
  ///
  /// @throws CommandException if there is no such space
  default <T> T useSpace(String name, Function<Space, T> work) {
    return use(store -> {
      Space space = requireSpace(store, name);
      try {
        Documents.keepIndexes(store, name);
        return work.apply(space);
      } catch (IllegalArgumentException e) { // a value that an index cannot read
        throw CommandException.usage(String.valueOf(e.getMessage()), e);
      }
    });
  }

  /// The space of that name.
  ///
  /// @throws CommandException if there is none
  static Space requireSpace(Store store, String name) {
    Space space = store.findSpace(name);
    if (space == null) {
      throw CommandException.notFound("no such space: " + name + "; 'varve spaces' lists them");
    }
    return space;
  }
}
