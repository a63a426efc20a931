package io.varve.internal.store;

import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.file.Path;

/// Opens stores; filled in by the commits that follow.
public final class StoreOpener {
  private StoreOpener() {}

  public static Store open(Path directory, StoreOptions options) {
    throw new UnsupportedOperationException();
  }

  public static Store inMemory(StoreOptions options) {
    throw new UnsupportedOperationException();
  }
}
