package io.varve.cli;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.cli.console.Stdio;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The one store that a shell has open.
record ShellStores(Store store, Stdio stdio) implements Stores {
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
  public <T> T useOrCreate(Function<Store, T> work) {
    return work.apply(store);
  }
}
