package io.varve.internal.txn;

import io.varve.Range;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a thread commits on its own while it runs the body of a transaction, after the transaction
/// began to read. If the transaction reads any of that, it cannot commit.
///
/// For one thread.
final class OwnCommits {
  /// Keys beyond that count as their whole space.
  private static final int KEYS_MAX = 10_000;

  private final ReadPoint readPoint;
  private final @Nullable OwnCommits around;
  private final Map<SpaceCore, NavigableSet<byte[]>> keys = new HashMap<>();
  private final Set<SpaceCore> wholeSpaces = new HashSet<>();
  private int keyCount;

  /// @param readPoint of the transaction whose body it is
  /// @param around those of the body that this body is run by
  OwnCommits(ReadPoint readPoint, @Nullable OwnCommits around) {
    this.readPoint = readPoint;
    this.around = around;
  }

  @Nullable OwnCommits around() {
    return around;
  }

  void add(SpaceCore space, byte[] key) {
    if (!readPoint.isReadPointFixed()) {
      return; // It will read what was committed.
    }
    if (keyCount == KEYS_MAX) {
      wholeSpaces.add(space);
    } else if (keys.computeIfAbsent(space, _ -> new TreeSet<>(Arrays::compareUnsigned))
        .add(key.clone())) {
      keyCount++;
    }
  }

  /// Whether any of it is in one of the ranges.
  boolean touch(Map<SpaceCore, List<Range>> reads) {
    return reads.entrySet().stream()
        .anyMatch(read ->
            wholeSpaces.contains(read.getKey())
                || read.getValue().stream().anyMatch(range -> touch(read.getKey(), range)));
  }

  private boolean touch(SpaceCore space, Range range) {
    NavigableSet<byte[]> own = keys.get(space);
    if (own == null || range.isEmpty()) {
      return false;
    }
    byte[] first = own.ceiling(range.from());
    byte[] to = range.to();
    return first != null && (to == null || Arrays.compareUnsigned(first, to) < 0);
  }
}
