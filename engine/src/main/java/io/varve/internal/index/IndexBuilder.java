package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Transaction;
import io.varve.internal.cache.Pages;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.StoreTransaction;
import io.varve.spi.SpaceIndex;
import org.jspecify.annotations.Nullable;

/// Builds an index from the entries of its space, part by part, while others change the space.
///
/// - (BUILD-1) Each part is a transaction that reads some entries of the space, adds their index
///   entries, and notes the key that comes next. So the index has what it should of all keys before
///   that one, at each commit: changes after the index was made keep it themselves (INDEXES-1), and
///   a change of what a part has read makes it run again.
/// - (BUILD-2) A crash loses nothing but the part under way. The last part takes the note away; a
///   crash before the index is called built lets the next build begin again, which adds what is
///   there already.
/// - (BUILD-3) One thread at a time builds an index.
/// - (BUILD-4) The entries of a part may go to as many leaves, which stay in memory until the part
///   is applied. So a part has no more entries than half of the cache has leaves.
///
/// For one thread.
final class IndexBuilder {
  private static final int ENTRIES_MAX = 16_384;
  private static final int ENTRIES_FIRST = 1024;
  private static final long BYTES_MAX = 4L << 20;

  /// The key under which the key is noted that comes next: no index entry has it.
  private static final byte[] POSITION = {};

  private final IndexRegistry registry;
  private final LiveSpace space;
  private final LiveSpace entries;
  private final SpaceIndex index;

  private final int entriesMax;

  /// How many entries the next part has. Fewer after a conflict, so that it ends while others
  /// write.
  private int entriesOfPart;

  private long bytesDone;

  IndexBuilder(IndexRegistry registry, LiveSpace space, LiveSpace entries, SpaceIndex index) {
    this.registry = registry;
    this.space = space;
    this.entries = entries;
    this.index = index;
    this.entriesMax = entriesMax(entries.core().tree().pages());
    this.entriesOfPart = Math.min(ENTRIES_FIRST, entriesMax);
  }

  private static int entriesMax(Pages pages) {
    long leaves = pages.cache().bytesMax() / pages.pageBytes();
    return Math.clamp(leaves / 2, 1, ENTRIES_MAX); // (BUILD-4)
  }

  void build(ProgressListener listener) {
    long total = space.statistics().bytes();
    while (!IndexRegistry.state(entries).isBuilt()) {
      Part part = registry.transactor().run(Durability.BACKGROUND, this, this::addPart).result();
      bytesDone += part.bytes;
      listener.progress(bytesDone, Math.max(total, bytesDone));
      entriesOfPart = Math.min(entriesMax, 2 * entriesOfPart);
      if (part.isLast) {
        registry.built(entries);
      }
    }
  }

  private record Part(long bytes, boolean isLast) {}

  private Part addPart(Transaction transaction) {
    int most = entriesOfPart;
    entriesOfPart = Math.max(1, most / 4); // should this run again
    StoreTransaction building = (StoreTransaction) transaction;
    byte[] noted = transaction.get(entries, POSITION);
    byte[] from = noted == null ? POSITION : noted;
    byte @Nullable [] next = null;
    long bytes = 0;
    int count = 0;
    // What it reads is noted when its end is known: a change after that end is no conflict.
    try (Cursor cursor = building.cursorUnchecked(space, Range.atLeast(from))) {
      while (next == null && cursor.next()) {
        byte[] key = cursor.key();
        if (count == most || bytes >= BYTES_MAX) {
          next = key;
        } else {
          byte[] value = cursor.value();
          building.index(space, entries.core().id(), key, value);
          bytes += key.length + (long) value.length;
          count++;
        }
      }
    }
    building.read(space, next == null ? Range.atLeast(from) : Range.of(from, next));
    building.buildPosition(entries, next);
    entriesOfPart = most;
    return new Part(bytes, next == null);
  }
}
