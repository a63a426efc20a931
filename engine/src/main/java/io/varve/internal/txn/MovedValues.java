package io.varve.internal.txn;

import io.varve.CorruptStoreException;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.Tree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The large values that a transaction read and that are stored elsewhere now. A compaction puts
/// them again without changing them, so they are compared by what they hold.
///
/// (MOVED-1) Both values are read from the file without locks alone. Under locks those of which it
/// is known by then are the same. If any other differs, the check is made again without locks.
///
/// (MOVED-2) A reference is never used for two values ([StoredValue]). So what was found to be the
/// same stays so.
///
/// For the thread of the transaction.
final class MovedValues {
  /// So many are known at most: they take about 200 bytes each. Of a transaction that meets more of
  /// them the commit conflicts, and a run of it alone meets none ([AloneRun]).
  static final int KNOWN_MAX = 1 << 15;

  private static final int BUFFER_BYTES = 1 << 16;

  private record Move(StoredValue from, StoredValue to) {}

  private final Set<Move> known = new HashSet<>();

  /// Whether two values were met under locks of which it is not known whether they are the same.
  private boolean metUnknown;

  private boolean tooMany;

  /// Whether two values of the same key hold the same. Called without locks: reads both of them,
  /// unless it is known. Two that the file does not hold any more count as the same until the next
  /// check: the key has been changed again.
  ///
  /// @param now what the live tree held when the check came by
  /// @throws CorruptStoreException if one of them is damaged
  boolean isSame(Tree tree, byte[] key, StoredValue before, StoredValue now) {
    if (before.length() != now.length()) {
      return false;
    }
    Move move = new Move(before, now);
    if (known.contains(move)) {
      return true;
    }
    if (known.size() == KNOWN_MAX) {
      tooMany = true;
      return false;
    }
    Boolean same = compare(tree, key, before, now);
    if (same == null) {
      return true; // MOVED-1: the check under locks meets what the key holds by then
    }
    if (same) {
      known.add(move);
    }
    return same;
  }

  /// Whether it is known that two values hold the same, or it has to be found out without locks.
  /// Called under locks.
  boolean isSameAsKnown(StoredValue before, StoredValue now) {
    if (before.length() != now.length()) {
      return false;
    }
    metUnknown |= !known.contains(new Move(before, now));
    return true;
  }

  /// Begins a check under locks.
  void beginLocked() {
    metUnknown = false;
  }

  /// Whether the check under locks has to be made again (MOVED-1).
  boolean hasMetUnknown() {
    return metUnknown;
  }

  /// Whether a value counted as changed since too many are known.
  boolean areTooMany() {
    return tooMany;
  }

  /// @return null if the extents of `now` are used for something else by now
  private static @Nullable Boolean compare(
      Tree tree, byte[] key, StoredValue before, StoredValue now) {
    var file = tree.pages().file();
    byte[] expected = new byte[BUFFER_BYTES];
    byte[] found = new byte[BUFFER_BYTES];
    try (InputStream old = before.open(file);
        InputStream live = now.open(file)) {
      while (true) {
        int bytes = old.readNBytes(expected, 0, BUFFER_BYTES); // held by the snapshot
        try {
          live.readNBytes(found, 0, bytes);
        } catch (CorruptStoreException e) {
          tree.requireNotEnded();
          if (now.equals(tree.stored(null, key))) {
            throw e; // damage, unless the store is being closed
          }
          return null;
        }
        if (!Arrays.equals(expected, 0, bytes, found, 0, bytes)) {
          return false;
        }
        if (bytes < BUFFER_BYTES) {
          return true;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // streams of values throw what readers of the store do
    }
  }
}
