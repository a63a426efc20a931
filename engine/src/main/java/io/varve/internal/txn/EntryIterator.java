package io.varve.internal.txn;

import io.varve.Cursor;
import io.varve.Entry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The entries of a cursor, one after the other, without those that are gone by then. Closes the
/// cursor at the end.
final class EntryIterator implements Iterator<Entry> {
  private final Cursor cursor;
  private @Nullable Entry next;

  EntryIterator(Cursor cursor) {
    this.cursor = cursor;
    advance();
  }

  private void advance() {
    Entry found = null;
    while (found == null && cursor.next()) {
      found = cursor instanceof EntryCursor live ? live.entryIfPresent() : cursor.entry();
    }
    next = found;
    if (found == null) {
      cursor.close();
    }
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Entry next() {
    Entry entry = next;
    if (entry == null) {
      throw new NoSuchElementException("no more entries");
    }
    advance();
    return entry;
  }
}
