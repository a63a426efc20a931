package io.varve.cache.internal.container;

import java.util.List;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.Supplier;

/// Some of the entries of an [EntrySnapshot].
///
/// @param estimate about their number
/// @param entries begins to traverse them
/// @param <K> the keys
/// @param <V> the values
record EntryPart<K, V>(long estimate, Supplier<Spliterator<StreamedEntry<K, V>>> entries) {
  /// Entries that were on the heap.
  static <K, V> EntryPart<K, V> of(
      List<Noted<K>> noted, Function<Noted<K>, ? extends StreamedEntry<K, V>> showing) {
    return new EntryPart<>(
        noted.size(), () -> new MappedSpliterator<>(noted.spliterator(), showing));
  }
}
