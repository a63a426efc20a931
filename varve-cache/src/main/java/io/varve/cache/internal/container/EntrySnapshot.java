package io.varve.cache.internal.container;

import io.varve.cache.CacheEntry;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The entries of a container as of one point, in parts that threads can share out.
///
/// @param parts of which each entry is in one
/// @param release releases what is held for the parts
/// @param <K> the keys
/// @param <V> the values
public record EntrySnapshot<K, V>(List<EntryPart<K, V>> parts, Runnable release) {
  /// Copies the list.
  public EntrySnapshot {
    parts = List.copyOf(parts);
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
