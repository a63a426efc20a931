package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.UniqueIndexException;
import io.varve.internal.txn.IndexNames;
import io.varve.internal.txn.IndexWorkspace;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.StoreTransaction;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Adds gathered entries to an index that others change concurrently (BUILD-1). What it reads
/// counts for conflicts, so each entry is still absent, and not noted as removed, when it comes.
final class PartAddition {
  private final LiveSpace space;
  private final LiveSpace entries;
  private final LiveSpace workspace;
  private final boolean isUnique;

  /// @param space the indexed one
  /// @param entries the space with the entries of the index
  /// @param workspace of the build
  /// @param isUnique whether the index is
  PartAddition(LiveSpace space, LiveSpace entries, LiveSpace workspace, boolean isUnique) {
    this.space = space;
    this.entries = entries;
    this.workspace = workspace;
    this.isUnique = isUnique;
  }

  /// @param part in order
  /// @throws UniqueIndexException if two keys have one prefix of a unique index
  void add(StoreTransaction transaction, List<GatheredEntry> part) {
    BitSet done = new BitSet(part.size());
    findRemoved(transaction, part, done);
    findPresent(transaction, part, done);
    requireUnique(part, done);
    for (int at = done.nextClearBit(0); at < part.size(); at = done.nextClearBit(at + 1)) {
      GatheredEntry entry = part.get(at);
      transaction.write(entries, entry.key(), entry.value());
    }
  }

  private void findRemoved(StoreTransaction transaction, List<GatheredEntry> part, BitSet done) {
    Range range = IndexWorkspace.removed(part.getFirst().bytes(), part.getLast().bytes());
    try (Cursor cursor = transaction.cursor(workspace, range)) {
      int at = 0;
      while (cursor.next()) {
        byte[] noted = cursor.key();
        while (at < part.size()
            && (isLongest(part.get(at)) || compare(removed(part.get(at)), noted) < 0)) {
          at++; // the notes of the longest are elsewhere
        }
        if (at < part.size() && Arrays.equals(removed(part.get(at)), noted)) {
          done.set(at);
        }
      }
    }
    for (int at = 0; at < part.size(); at++) {
      if (isLongest(part.get(at)) && transaction.contains(workspace, removed(part.get(at)))) {
        done.set(at);
      }
    }
  }

  private static boolean isLongest(GatheredEntry entry) {
    return entry.length() == Space.KEY_BYTES_MAX;
  }

  private static byte[] removed(GatheredEntry entry) {
    return IndexWorkspace.removed(entry.bytes());
  }

  private static int compare(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other);
  }

  private void findPresent(StoreTransaction transaction, List<GatheredEntry> part, BitSet done) {
    Range range = Range.closed(part.getFirst().key(), part.getLast().key());
    try (Cursor cursor = transaction.cursor(entries, range)) {
      int at = 0;
      while (at < part.size() && cursor.next()) {
        byte[] present = cursor.key();
        while (at < part.size() && compare(part.get(at).key(), present) < 0) {
          at++;
        }
        for (; at < part.size() && Arrays.equals(part.get(at).key(), present); at++) {
          if (isUnique && !done.get(at)) {
            requireKey(part.get(at), cursor.value());
          }
          done.set(at);
        }
      }
    }
  }

  private void requireKey(GatheredEntry entry, byte[] presentKey) {
    if (!Arrays.equals(entry.indexedKey(), presentKey)) {
      throw violation(entry, presentKey);
    }
  }

  private UniqueIndexException violation(GatheredEntry entry, byte[] presentKey) {
    return new UniqueIndexException(
        space.name(), IndexNames.index(entries.name()), entry.indexedKey(), presentKey);
  }

  /// Those of one prefix are next to each other.
  private void requireUnique(List<GatheredEntry> part, BitSet done) {
    if (!isUnique) {
      return;
    }
    int before = -1;
    for (int at = done.nextClearBit(0); at < part.size(); at = done.nextClearBit(at + 1)) {
      if (before >= 0 && part.get(at).hasPrefixOf(part.get(before))) {
        throw violation(part.get(at), part.get(before).indexedKey());
      }
      before = at;
    }
  }
}
