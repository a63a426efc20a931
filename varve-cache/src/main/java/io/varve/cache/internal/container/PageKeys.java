package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.cache.Marshaller;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The keys of segments in pages, in the order of [PageRecord#key], weakly consistent. For one
/// thread; one that is left half-way holds nothing but memory.
///
/// @param <K> the keys
final class PageKeys<K> implements Iterator<K> {
  private final PageEntries entries;
  private final Marshaller<K> keys;
  private final int segmentsStart;
  private final int segmentsEnd;
  private int nextSegment;
  private @Nullable Cursor cursor; // on the next key; null before and after a segment
  private byte[] position = {};

  PageKeys(PageEntries entries, Marshaller<K> keys, int segmentsStart, int segmentsEnd) {
    this.entries = entries;
    this.keys = keys;
    this.segmentsStart = segmentsStart;
    this.nextSegment = segmentsStart;
    this.segmentsEnd = segmentsEnd;
  }

  @Override
  public boolean hasNext() {
    while (cursor == null && nextSegment < segmentsEnd) {
      int segment = nextSegment++;
      advance(entries.space(segment).cursor(PageEntries.range(segment)));
    }
    return cursor != null;
  }

  private void advance(Cursor moved) {
    if (moved.next()) {
      cursor = moved;
    } else {
      moved.close();
      cursor = null;
    }
  }

  @Override
  public K next() {
    Cursor current = hasNext() ? cursor : null;
    if (current == null) {
      throw new NoSuchElementException("no more keys");
    }
    position = current.key();
    byte[] key = PageRecord.keyBytes(position, current.value());
    advance(current);
    return keys.fromBytes(key);
  }

  /// Whether a stored key is of one of the segments.
  boolean covers(byte[] storedKey) {
    int segment = PageRecord.segment(storedKey);
    return segmentsStart <= segment && segment < segmentsEnd;
  }

  /// The stored key of the last that was given; empty before the first.
  byte[] position() {
    return position;
  }
}
