package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.internal.txn.IndexNames;
import io.varve.internal.txn.Indexing;
import io.varve.internal.txn.LiveSpace;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Compares an index with its space: each entry of the space has its index entries, and there are
/// no others. Reads both from the first leaf to the last, and compares sums. Only if these differ,
/// it looks each entry up in the other, which reads leaves in no order.
final class IndexVerifier {
  private static final int FAULTS_MAX = 100;

  private final LiveSpace space;
  private final LiveSpace entries;
  private final SpaceIndex index;
  private final List<String> faults = new ArrayList<>();

  IndexVerifier(LiveSpace space, LiveSpace entries, SpaceIndex index) {
    this.space = space;
    this.entries = entries;
    this.index = index;
  }

  /// The key of the space to which an index entry refers.
  static byte[] key(SpaceIndex index, Cursor entry) {
    if (index.isUnique()) {
      return entry.value();
    }
    byte[] bytes = entry.key();
    return Arrays.copyOfRange(bytes, index.prefixBytes(bytes), bytes.length);
  }

  /// The name in the store, which a rename changes.
  private String name() {
    return IndexNames.index(entries.name());
  }

  List<String> verify(Snapshot snapshot) {
    Indexing.Kept kept = new Indexing.Kept(entries.core().id(), name(), index);
    if (!sumOfSpace(snapshot, kept).equalsSumOf(sumOfIndex(snapshot))) {
      findFaults(snapshot, kept);
    }
    return faults;
  }

  private EntrySum sumOfSpace(Snapshot snapshot, Indexing.Kept kept) {
    EntrySum sum = new EntrySum();
    try (Cursor cursor = snapshot.cursor(space, Range.all())) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        for (byte[] prefix : Indexing.prefixes(kept, key, cursor.value())) {
          sum.add(Indexing.entry(prefix, key));
        }
      }
    }
    return sum;
  }

  private EntrySum sumOfIndex(Snapshot snapshot) {
    EntrySum sum = new EntrySum();
    try (Cursor cursor = snapshot.cursor(entries, Range.all())) {
      while (cursor.next()) {
        byte[] entry = cursor.key();
        sum.add(index.isUnique() ? Indexing.entry(entry, cursor.value()) : entry);
      }
    }
    return sum;
  }

  private void findFaults(Snapshot snapshot, Indexing.Kept kept) {
    try (Cursor cursor = snapshot.cursor(space, Range.all())) {
      for (long entry = 0; cursor.next() && faults.size() < FAULTS_MAX; entry++) {
        byte[] key = cursor.key();
        for (byte[] prefix : Indexing.prefixes(kept, key, cursor.value())) {
          requireEntry(snapshot, entry, key, prefix);
        }
      }
    }
    requireNoOthers(snapshot, kept);
  }

  private void requireEntry(Snapshot snapshot, long number, byte[] key, byte[] prefix) {
    byte[] entry = index.isUnique() ? prefix : Indexing.entry(prefix, key);
    byte[] value = snapshot.get(entries, entry);
    if (value == null || (index.isUnique() && !Arrays.equals(value, key))) {
      fault("an entry of the space is missing in the index", number, key, prefix.length);
    }
  }

  private void requireNoOthers(Snapshot snapshot, Indexing.Kept kept) {
    try (Cursor cursor = snapshot.cursor(entries, Range.all())) {
      for (long number = 0; cursor.next() && faults.size() < FAULTS_MAX; number++) {
        byte[] entry = cursor.key();
        byte[] key = key(index, cursor);
        byte[] prefix = index.isUnique() ? entry : Arrays.copyOf(entry, index.prefixBytes(entry));
        byte[] value = snapshot.get(space, key);
        if (value == null || !Indexing.prefixes(kept, key, value).contains(prefix)) {
          fault(
              "the index has an entry that the space does not give it", number, key, prefix.length);
        }
      }
    }
  }

  /// @param number of the entry of the space, or of the index, counted from 0
  private void fault(String what, long number, byte[] key, int prefixBytes) {
    faults.add(
        what
            + ": space="
            + space.name()
            + ", index="
            + name()
            + ", entry="
            + number
            + ", keyBytes="
            + key.length
            + ", prefixBytes="
            + prefixBytes);
  }
}
