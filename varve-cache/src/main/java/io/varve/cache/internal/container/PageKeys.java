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
  private int changesBefore; // of the segment of the cursor, before it was read
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
      changesBefore = entries.changes(segment);
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
    Cursor current = current();
    K key = key(current);
    advance(current);
    return key;
  }

  /// The next key with what is held for it. A cursor gives what a leaf held when it was read: if
  /// keys of the segment were changed since the walk came to it, the entry is to be looked up.
  private Found<K> nextFound() {
    Cursor current = current();
    K key = key(current);
    boolean isUnchanged = entries.changes(nextSegment - 1) == changesBefore;
    Held held = isUnchanged ? PageRecord.held(current.valueSegment(), changesBefore) : null;
    advance(current);
    return new Found<>(key, held);
  }

  /// The keys as [#nextFound] gives them; the same walk.
  Iterator<Found<K>> found() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return PageKeys.this.hasNext();
      }

      @Override
      public Found<K> next() {
        return nextFound();
      }
    };
  }

  private Cursor current() {
    Cursor current = hasNext() ? cursor : null;
    if (current == null) {
      throw new NoSuchElementException("no more keys");
    }
    return current;
  }

  private K key(Cursor current) {
    position = current.key();
    return keys.fromBytes(PageRecord.keyBytes(position, current::valueSegment));
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
