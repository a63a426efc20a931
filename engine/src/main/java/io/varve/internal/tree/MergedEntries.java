package io.varve.internal.tree;

import io.varve.internal.page.Bytes;
import io.varve.internal.page.LeafPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Entries in key order in flight into new leaves. Not safe for threads.
final class MergedEntries {
  private byte[][] keys;
  private byte[][] values;
  private int[] tags;
  private int size;

  /// @param expected how many there will be, at least one; more are taken as well
  MergedEntries(int expected) {
    keys = new byte[expected][];
    values = new byte[expected][];
    tags = new int[expected];
  }

  int size() {
    return size;
  }

  private void add(byte[] key, byte[] value, int tag) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
      values = Arrays.copyOf(values, size * 2);
      tags = Arrays.copyOf(tags, size * 2);
    }
    keys[size] = key;
    values[size] = value;
    tags[size++] = tag;
  }

  /// Adds the entries `from` to `to` (exclusive) of a leaf.
  void add(byte[] page, int from, int to) {
    for (int i = from; i < to; i++) {
      add(LeafPage.key(page, i), LeafPage.value(page, i), LeafPage.tag(page, i));
    }
  }

  /// Adds the entries of a leaf with the changes `from` to `to` (exclusive) made to them.
  void merge(byte[] page, Changes changes, int from, int to) {
    int next = 0;
    int count = LeafPage.count(page);
    for (int i = from; i < to; i++) {
      byte[] key = changes.key(i);
      int index = next == count ? ~count : LeafPage.find(page, key); // the keys ascend
      int place = index < 0 ? ~index : index;
      add(page, next, place);
      next = index < 0 ? place : place + 1;
      byte[] value = changes.value(i);
      if (value != null) {
        add(key, value, changes.tag(i));
      }
    }
    add(page, next, count);
  }

  /// Builds pages of all entries: full ones where entries are appended, else even ones. At least
  /// one page, which may be empty.
  ///
  /// @param fillPercent how full a full one is
  List<byte[]> cut(int pageBytes, int fillPercent, boolean append) {
    List<byte[]> pages = new ArrayList<>();
    if (size == 0) {
      pages.add(LeafPage.create(pageBytes, new byte[0], 0));
      return pages;
    }
    // Each page holds once what its keys share, and that is no less.
    int prefix = Bytes.commonPrefix(keys[0], keys[size - 1]);
    long total = 0;
    for (int i = 0; i < size; i++) {
      total += entryBytes(i, prefix);
    }
    int capacity = Math.max(1, (pageBytes - LeafPage.bytesFor(0) - prefix) * fillPercent / 100);
    long parts = (total + capacity - 1) / capacity;
    // Uneven entries may need a little more than an even share.
    long target = append ? capacity : Math.min(capacity, total / parts + capacity / 16);
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < size; i++) {
      int entry = entryBytes(i, prefix);
      if (bytes + entry > target && i > from) {
        pages.add(build(from, i, pageBytes));
        from = i;
        bytes = 0;
      }
      bytes += entry;
    }
    pages.add(build(from, size, pageBytes));
    return pages;
  }

  private int entryBytes(int index, int prefix) {
    return LeafPage.entryBytes(keys[index].length - prefix, values[index].length);
  }

  byte[] build(int from, int to, int pageBytes) {
    return LeafPage.build(keys, values, tags, from, to, pageBytes);
  }
}
