package io.varve.query;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of an answer, and where it is continued: [Found#page()].
///
/// @param entries the rows
/// @param next where the next page begins, for [Found#after(String)]; null if this was the last one
///   when it was read
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public record Page<K, V>(List<Map.Entry<K, V>> entries, @Nullable String next) {
  /// Copies the list.
  public Page {
    entries = List.copyOf(entries);
  }

  /// The values of the rows.
  public List<V> values() {
    return entries.stream().map(Map.Entry::getValue).toList();
  }
}
