package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.StoreClosedException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Changes in a space of the store: what an [Overlay] is in memory. They were too many for memory,
/// or for one commit.
///
/// | key           | value     | meaning                                                    |
/// |---------------|-----------|------------------------------------------------------------|
/// | an item       | no bytes  | inserted                                                   |
/// | an item       | one byte  | deleted                                                    |
/// | `0xfe`        | no bytes  | the mark: these changes are committed                      |
/// | `0xff` prefix | no bytes  | all older items that start with the prefix are gone        |
///
/// (L1) Without its mark a layer means nothing, and is dropped by the next open. The mark is
/// written after all changes that it commits. It is taken away once they are in the main space,
/// before any commit changes that again.
///
/// (L2) No prefix that a layer clears starts with another one.
final class Layer {
  static final byte[] PRESENT = {};
  private static final byte[] DELETED = {1};
  private static final byte[] MARK = {(byte) 0xfe};

  /// Entries that one transaction moves at most: enough to make its cost small, few enough that
  /// others need not wait for it long.
  private static final int CHUNK_ENTRIES_MAX = 4096;

  private static final int CHUNK_ENTRIES_MIN = 64;

  /// The part of the cache's budget that the pages of one transaction may take, if each entry is in
  /// a leaf of its own: they are in memory together.
  private static final int CHUNK_SHARE = 8;

  private final String name;
  private final Space space;
  private final Consumer<String> dropping;
  private final ReentrantLock pinning = new ReentrantLock();

  /// How many snapshots show this. Guarded by `pinning`.
  private int pins;

  /// Whether the space is to be dropped when no snapshot shows it. Guarded by `pinning`.
  private boolean merged;

  /// @param dropping drops the space of a name
  Layer(Space space, Consumer<String> dropping) {
    this.space = space;
    this.dropping = dropping;
    this.name = space.name();
  }

  Space space() {
    return space;
  }

  /// Whether a value of a layer marks its item as deleted.
  static boolean isDeleted(int valueLength) {
    return valueLength != 0;
  }

  boolean isCommitted() {
    return space.contains(MARK);
  }

  void put(Transaction transaction, byte[] item, boolean deleted) {
    transaction.put(space, item, deleted ? DELETED : PRESENT);
  }

  void mark(Transaction transaction) {
    transaction.put(space, MARK, PRESENT);
  }

  /// Records that all older items under prefixes are gone, and deletes the entries of this layer
  /// there.
  private void clear(Prefixes prefixes) {
    if (prefixes.isEmpty()) {
      return;
    }
    Space rows = space.with(Durability.BACKGROUND);
    try (Cursor cursor = space.cursor(ClearedRows.RANGE)) {
      // No prefix starts with one before it, so what was read before that was added still counts.
      ClearedRows present = new ClearedRows(cursor);
      for (byte[] prefix : prefixes.all()) {
        deleteUnder(space, prefix);
        if (present.of(prefix, prefix.length) == null) { // L2
          byte[] row = ClearedRows.row(prefix);
          deleteAll(space, Range.of(row, ClearedRows.row(ItemBytes.endOf(prefix))));
          rows.put(row, PRESENT);
        }
      }
    }
  }

  /// Deletes the items of a space that start with a prefix, a chunk at a time.
  private static void deleteUnder(Space space, byte[] prefix) {
    deleteAll(space, Range.of(prefix, ItemBytes.endOf(prefix)));
  }

  private static void deleteAll(Space space, Range range) {
    try (Cursor cursor = space.cursor(range)) {
      boolean more = cursor.next();
      int entriesMax = chunkEntries(space);
      while (more) {
        try (Transaction chunk = space.store().begin()) {
          for (int i = 0; more && i < entriesMax; i++) {
            chunk.delete(space, cursor.key());
            more = cursor.next();
          }
          chunk.commit(Durability.BACKGROUND);
        }
      }
    }
  }

  private static int chunkEntries(Space space) {
    StoreOptions options = space.store().options();
    return Math.clamp(
        options.cacheBytes() / options.pageBytes() / CHUNK_SHARE,
        CHUNK_ENTRIES_MIN,
        CHUNK_ENTRIES_MAX);
  }

  /// Whether a merge of this is done immediately.
  boolean isSmall() {
    return space.count(Range.all()) <= chunkEntries(space)
        && space.first(ClearedRows.RANGE) == null;
  }

  /// Writes all changes of an overlay to this, a chunk at a time. Readers must have them from the
  /// overlay until this returns.
  void write(Overlay changes) {
    clear(changes.cleared());
    Overlay.Position at = changes.position();
    boolean more = at.seek(PRESENT, 0, false);
    int entriesMax = chunkEntries(space);
    while (more) {
      try (Transaction chunk = space.store().begin()) {
        for (int i = 0; more && i < entriesMax; i++) {
          put(chunk, at.key(), at.isDeleted());
          more = at.next();
        }
        chunk.commit(Durability.BACKGROUND);
      }
    }
  }

  /// Makes the changes of this to the main space, a chunk at a time. To do so again does no harm,
  /// until the main space is changed by others.
  void mergeInto(Space main) {
    try (Cursor rows = space.cursor(ClearedRows.RANGE)) {
      while (rows.next()) {
        deleteUnder(main, ClearedRows.prefix(rows));
      }
    }
    try (var cursor = space.cursor(Range.lessThan(ItemBytes.BEYOND_ITEMS))) {
      boolean more = cursor.next();
      int entriesMax = chunkEntries(space);
      while (more) {
        try (Transaction chunk = space.store().begin()) {
          for (int i = 0; more && i < entriesMax; i++) {
            if (isDeleted(cursor.valueLength())) {
              chunk.delete(main, cursor.key());
            } else {
              chunk.put(main, cursor.key(), PRESENT);
            }
            more = cursor.next();
          }
          chunk.commit(Durability.BACKGROUND);
        }
      }
    }
    space.with(Durability.BACKGROUND).delete(MARK);
  }

  /// Keeps the space for a snapshot.
  ///
  /// @return false if it is merged, and perhaps dropped
  boolean pin() {
    pinning.lock();
    try {
      pins += merged ? 0 : 1;
      return !merged;
    } finally {
      pinning.unlock();
    }
  }

  /// Ends a pin.
  void unpin() {
    boolean last;
    pinning.lock();
    try {
      last = --pins == 0 && merged;
    } finally {
      pinning.unlock();
    }
    if (last) {
      drop();
    }
  }

  /// Drops the space as soon as no snapshot shows it. Called when no reader begins with it any
  /// more.
  void release() {
    boolean unused;
    pinning.lock();
    try {
      merged = true;
      unused = pins == 0;
    } finally {
      pinning.unlock();
    }
    if (unused) {
      drop();
    }
  }

  private void drop() {
    try {
      // Not one that took the name after this was dropped.
      if (space.equals(space.store().findSpace(name))) {
        dropping.accept(name);
      }
    } catch (StoreClosedException _) {
      // It has no mark any more, so the next open drops it (L1).
    }
  }
}
