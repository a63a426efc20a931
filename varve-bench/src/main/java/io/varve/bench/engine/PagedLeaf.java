package io.varve.bench.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A page of sorted entries of fixed length: their count, then key and value of each. Changes give
/// a new page.
final class PagedLeaf {
  private final Layout layout;
  private final byte[] page;

  PagedLeaf(Layout layout, byte[] page) {
    this.layout = layout;
    this.page = page;
  }

  /// Where things are.
  ///
  /// @param keyBytes length of every key
  /// @param valueBytes length of every value
  /// @param entriesMax the most entries of a page
  record Layout(int keyBytes, int valueBytes, int entriesMax) {
    int pageBytes() {
      return offset(entriesMax);
    }

    private int offset(int index) {
      return Integer.BYTES + index * (keyBytes + valueBytes);
    }

    byte[] empty() {
      return new byte[pageBytes()];
    }
  }

  /// Two pages in place of one.
  ///
  /// @param rightKey the least key that belongs to the right one
  record Halves(byte[] left, byte[] rightKey, byte[] right) {}

  int count() {
    return ByteBuffer.wrap(page).getInt();
  }

  boolean isFull() {
    return count() == layout.entriesMax;
  }

  /// The index of `key`, or the complement of where it would be.
  int find(byte[] key) {
    int low = 0;
    int high = count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int at = layout.offset(middle);
      int order = Arrays.compareUnsigned(page, at, at + layout.keyBytes, key, 0, key.length);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return ~low;
  }

  void readKey(int index, byte[] target) {
    System.arraycopy(page, layout.offset(index), target, 0, layout.keyBytes);
  }

  void readValue(int index, byte[] target) {
    System.arraycopy(page, layout.offset(index) + layout.keyBytes, target, 0, layout.valueBytes);
  }

  /// This page with an entry, which fits.
  byte[] with(byte[] key, byte[] value) {
    int found = find(key);
    int index = found < 0 ? ~found : found;
    byte[] changed = found < 0 ? moved(index, index + 1, count() + 1) : page.clone();
    System.arraycopy(key, 0, changed, layout.offset(index), layout.keyBytes);
    System.arraycopy(value, 0, changed, layout.offset(index) + layout.keyBytes, layout.valueBytes);
    return changed;
  }

  /// This page without a key that it has.
  byte[] without(byte[] key) {
    int index = find(key);
    return moved(index + 1, index, count() - 1);
  }

  /// This page, of which the entries from one index on are moved to another.
  private byte[] moved(int from, int to, int newCount) {
    byte[] changed = page.clone();
    System.arraycopy(
        page,
        layout.offset(from),
        changed,
        layout.offset(to),
        layout.offset(count()) - layout.offset(from));
    ByteBuffer.wrap(changed).putInt(newCount);
    return changed;
  }

  /// This page in halves; a page full of ascending keys stays as it is, and the new key gets an
  /// empty one.
  Halves split(byte[] key) {
    int count = count();
    int at = ~find(key) == count ? count : count / 2;
    byte[] rightKey = key;
    if (at < count) {
      rightKey = new byte[layout.keyBytes];
      readKey(at, rightKey);
    }
    return new Halves(slice(0, at), rightKey, slice(at, count));
  }

  private byte[] slice(int from, int to) {
    byte[] part = layout.empty();
    System.arraycopy(
        page, layout.offset(from), part, layout.offset(0), layout.offset(to) - layout.offset(from));
    ByteBuffer.wrap(part).putInt(to - from);
    return part;
  }
}
