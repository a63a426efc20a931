package io.varve.internal.txn;

import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.Approach;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.TreeWriter;
import io.varve.internal.wal.RecordSink;
import org.jspecify.annotations.Nullable;

/// A put or delete of one key, perhaps on condition that the key holds what was seen.
///
/// @param space the id of the space
/// @param value what to put, or null to delete
/// @param isConditional whether the key must hold `expected`
/// @param expected what the leaf must hold, or null for an absent key
/// @param indexing the indexes that it was planned with (INDEXES-2)
record OneChange(
    int space,
    byte[] key,
    @Nullable NewValue value,
    boolean isConditional,
    @Nullable StoredValue expected,
    @Nullable Indexing indexing) {
  static OneChange put(int space, byte[] key, NewValue value) {
    return new OneChange(space, key, value, false, null, null);
  }

  static OneChange delete(int space, byte[] key) {
    return new OneChange(space, key, null, false, null, null);
  }

  /// This on condition that the leaf holds what was seen, and the space has these indexes.
  OneChange ifStill(@Nullable StoredValue seen, Indexing indexes) {
    return new OneChange(space, key, value, true, seen, indexes);
  }

  /// What the entry takes in its leaf. A large value is elsewhere, and counts there already.
  long entryBytes() {
    NewValue put = value;
    return put == null ? 0 : LeafPage.entryBytes(key.length, put.stored().bytes().length);
  }

  /// Finds, without the lock, what [#prepare] needs; null if pages are missing, or it is no use.
  @Nullable Approach approach(TreeWriter writer, NeededPages needed) {
    return writer.approach(key, value != null, needed);
  }

  /// Gets ready to be applied, under the lock.
  ///
  /// @param approach what [#approach] found
  /// @return false if a page is missing
  boolean prepare(TreeWriter writer, @Nullable Approach approach, long epoch, NeededPages needed) {
    NewValue put = value;
    writer.follow(approach);
    return put == null
        ? writer.prepareDelete(key, epoch, needed)
        : writer.preparePut(key, put.stored().bytes().length, epoch, needed);
  }

  void apply(TreeWriter writer, long epoch) {
    NewValue put = value;
    if (put == null) {
      writer.delete(epoch);
    } else {
      writer.put(key, put.stored().bytes(), put.tag(), epoch);
    }
  }

  long bodyBytes() {
    NewValue put = value;
    return put == null ? LogRecord.deleteBytes(space, key) : put.bodyBytes(space, key);
  }

  void write(RecordSink sink) {
    NewValue put = value;
    if (put == null) {
      LogRecord.delete(sink, space, key);
    } else {
      put.write(sink, space, key);
    }
  }

  /// About how many bytes of pages it makes dirty.
  ///
  /// @param grows whether it may add to the store
  long dirtyingBytes(SpaceCore space, boolean grows) {
    // A delete may merge its leaf with the next one.
    int pageBytes = space.tree().pages().pageBytes();
    return pageBytes + (grows ? entryBytes() : pageBytes);
  }
}
