package io.varve.grid.items;

import io.varve.Store;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Follows the store of a node's items, from its open to its close. Called by one thread at a time.
public interface ItemStoreListener {
  /// The store was opened.
  ///
  /// @param directory of its files, or null if it is in memory
  void opened(Store store, @Nullable Path directory);

  /// The store is about to be closed.
  void closing(Store store);
}
