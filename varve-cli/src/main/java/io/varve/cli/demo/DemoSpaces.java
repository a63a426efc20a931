package io.varve.cli.demo;

import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.file.Path;

/// The spaces of the demonstration.
///
/// @param store what they are in
/// @param files path to content
/// @param words the index: word, zero byte, path to the number of occurrences
/// @param stats path to [FileFacts]
/// @param meta what the store is
record DemoSpaces(Store store, Space files, Space words, Space stats, Space meta) {
  /// Opens the store, or makes it. Half of the heap is for pages, since the demo needs little else:
  /// each of its many transactions touches hundreds of leaves all over the index.
  static Store open(Path directory) {
    return Store.open(
        directory, StoreOptions.defaults().cacheBytes(Runtime.getRuntime().maxMemory() / 2));
  }

  static DemoSpaces of(Store store) {
    return new DemoSpaces(
        store,
        store.space("files"),
        store.space("words"),
        store.space("stats"),
        store.space("meta"));
  }
}
