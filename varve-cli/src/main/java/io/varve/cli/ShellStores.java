package io.varve.cli;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.cli.console.Stdio;
import io.varve.control.ControlClient;
import io.varve.control.ControlSocket;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The one store that a shell has open.
record ShellStores(Store store, Path directory, Stdio stdio) implements Stores {
  @Override
  public @Nullable KeySource key() {
    return store.options().encryption();
  }

  @Override
  public <T> T use(Function<Store, T> work) {
    return work.apply(store);
  }

  @Override
  public <T> T read(Function<Store, T> work) {
    return work.apply(store);
  }

  @Override
  public <T> T look(Function<Store, T> local, Function<ControlClient, T> remote) {
    return local.apply(store);
  }

  /// The shell has opened it with the store.
  @Override
  public @Nullable ControlSocket control(Store store) {
    return null;
  }

  @Override
  public <T> T useOrCreate(Function<Store, T> work) {
    return work.apply(store);
  }
}
