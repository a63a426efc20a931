package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a map keeps its entries, as bytes in unsigned order of the keys. Each operation on one key
/// is linearizable, and means what that of [Space] does.
public interface EntryStore {
  /// The space that holds the entries.
  Space space();

  /// The same entries, where each change is a commit of that durability.
  ///
  /// @throws UnsupportedOperationException if changes here are no commits of their own
  EntryStore with(Durability durability);

  byte @Nullable [] get(byte[] key);

  boolean contains(byte[] key);

  byte @Nullable [] getAndPut(byte[] key, byte[] value);

  byte @Nullable [] putIfAbsent(byte[] key, byte[] value);

  boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update);

  byte @Nullable [] getAndDelete(byte[] key);

  void delete(byte[] key);

  /// Puts many entries; atomically, where there are commits for it.
  void putAll(List<Entry> entries);

  /// Puts each key that is absent; atomically, where there are commits for it.
  ///
  /// @return whether any was absent
  boolean addAll(List<byte[]> keys, byte[] value);

  void deleteRange(Range range);

  Cursor cursor(Range range);

  long count(Range range);

  /// Whether several threads may read at the same time.
  default boolean isShared() {
    return true;
  }
}
