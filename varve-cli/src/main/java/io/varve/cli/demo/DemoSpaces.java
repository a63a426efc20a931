package io.varve.cli.demo;

import io.varve.Space;
import io.varve.Store;

/// The spaces of the demonstration.
///
/// @param store what they are in
/// @param files path to content
/// @param words the index: word, zero byte, path to the number of occurrences
/// @param stats path to [FileFacts]
/// @param meta what the store is
record DemoSpaces(Store store, Space files, Space words, Space stats, Space meta) {
  static DemoSpaces of(Store store) {
    return new DemoSpaces(
        store,
        store.space("files"),
        store.space("words"),
        store.space("stats"),
        store.space("meta"));
  }
}
