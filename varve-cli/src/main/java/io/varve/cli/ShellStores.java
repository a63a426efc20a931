package io.varve.cli;

import io.varve.Store;
import io.varve.cli.console.Stdio;
import java.util.function.Function;

/// The one store that a shell has open.
record ShellStores(Store store, Stdio stdio) implements Stores {
  @Override
  public <T> T use(Function<Store, T> work) {
    return work.apply(store);
  }

  @Override
  public <T> T useOrCreate(Function<Store, T> work) {
    return work.apply(store);
  }
}
