package io.varve.internal.map;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Iterates over a slice of a space. What `hasNext` promised is what `next` gives, though it be
/// removed in between: the cursor holds a copy.
///
/// @param <T> what the iterator shows of an entry
final class ScanIterator<T> implements Iterator<T> {
  private final EntryStore store;
  private final Scan scan;
  private final Reading<T> reading;
  private boolean ahead; // the scan is on an entry that next() has yet to return
  private byte @Nullable [] lastKey; // of the entry that next() gave last, until it is removed

  ScanIterator(EntryStore store, Slice slice, Reading<T> reading) {
    this.store = store;
    this.scan = new Scan(store, slice);
    this.reading = reading;
  }

  @Override
  public boolean hasNext() {
    ahead = ahead || scan.advance();
    return ahead;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ahead = false;
    byte[] key = scan.key();
    lastKey = key;
    return scan.read(key, reading);
  }

  /// Removes the key that `next` gave last, whatever its value is by now.
  @Override
  public void remove() {
    if (lastKey == null) {
      throw new IllegalStateException("there is nothing to remove before next(), or twice");
    }
    store.delete(lastKey);
    lastKey = null;
  }
}
