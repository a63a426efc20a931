package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Written;
import java.util.List;
import java.util.concurrent.CompletionStage;
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

  /// The same entries for one change, which does not wait for its durability.
  ///
  /// @throws UnsupportedOperationException if changes here are no commits of their own
  Pending pending();

  /// Entries that one change is made of, and the stage of its durability. For one thread.
  interface Pending {
    /// The entries to change.
    EntryStore entries();

    /// What the change removed by a range.
    long removedCount();

    /// Gives what the change gave, with its commit, when that is durable.
    <T extends @Nullable Object> CompletionStage<Written<T>> written(T value);
  }

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
