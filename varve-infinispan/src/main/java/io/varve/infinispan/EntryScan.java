package io.varve.infinispan;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of some segments that had not expired, as of one point in the commit order, one
/// after the other. For one thread at a time. Holds a snapshot until it is closed.
final class EntryScan implements AutoCloseable {
  private final Snapshot snapshot;
  private final Space entries;
  private final Iterator<Range> ranges;
  private final long now;
  private final byte[] start = new byte[EntryValue.EXPIRY_BYTES];

  /// Over the range that is being read; null before the first and after each.
  private @Nullable Cursor cursor;

  /// @param snapshot closed with the scan
  EntryScan(Snapshot snapshot, Space entries, List<Range> ranges, long now) {
    this.snapshot = snapshot;
    this.entries = entries;
    this.ranges = ranges.iterator();
    this.now = now;
  }

  /// Moves to the next entry.
  ///
  /// @return the cursor, which is on it, or null if there is none
  @Nullable Cursor next() {
    while (true) {
      Cursor current = cursor;
      if (current == null) {
        if (!ranges.hasNext()) {
          return null;
        }
        current = snapshot.cursor(entries, ranges.next());
        cursor = current;
      }
      while (current.next()) {
        current.readValue(start);
        if (!EntryValue.isExpired(EntryValue.expiry(start), now)) {
          return current;
        }
      }
      current.close();
      cursor = null;
    }
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
    }
    snapshot.close();
  }
}
