package io.varve.cache.internal.container;

import io.varve.cache.CacheEntry;
import java.util.List;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The entries of a container as of one point, in parts that threads can share out.
///
/// @param parts of which each entry is in one
/// @param release releases what is held for the parts
/// @param <K> the keys
/// @param <V> the values
public record EntrySnapshot<K, V>(List<Part<K, V>> parts, Runnable release) {
  /// Copies the list.
  public EntrySnapshot {
    parts = List.copyOf(parts);
  }

  /// Some of the entries.
  ///
  /// @param estimate about their number
  /// @param entries begins to traverse them
  record Part<K, V>(long estimate, Supplier<Spliterator<StreamedEntry<K, V>>> entries) {
    /// Entries that were on the heap.
    static <K, V> Part<K, V> of(
        List<Noted<K>> noted, Function<Noted<K>, ? extends StreamedEntry<K, V>> showing) {
      return new Part<>(noted.size(), () -> new MappedSpliterator<>(noted.spliterator(), showing));
    }
  }

  /// A stream over the entries that have not ended, which releases the snapshot when it closes.
  ///
  /// @param nowMillis the time by which they may have ended
  /// @param check called before each entry; fails if the cache is closed
  public Stream<CacheEntry<K, V>> stream(long nowMillis, Runnable check) {
    return StreamSupport.stream(
            new PartsSpliterator<>(parts, entry -> !entry.isExpired(nowMillis), check), false)
        .onClose(release);
  }
}
