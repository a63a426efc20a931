package io.varve.internal.txn;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A point of a transaction: how many writes it had made to each space.
final class WritePoint implements TransactionPoint {
  private final Transaction transaction;
  private final Cursors cursors;

  /// What the transaction has written, which grows.
  private final Map<SpaceCore, SpaceWrites> writes;

  /// Spaces that it had not written to are not here.
  private final Map<SpaceCore, Integer> counts = new HashMap<>();

  /// Opens cursors of the transaction.
  @FunctionalInterface
  interface Cursors {
    /// A cursor over the keys of a range.
    ///
    /// @param count only the first ones of the writes to the space are shown
    Cursor open(Space space, Range range, int count);
  }

  /// @param writes of the transaction, those so far and later ones
  WritePoint(Transaction transaction, Cursors cursors, Map<SpaceCore, SpaceWrites> writes) {
    this.transaction = transaction;
    this.cursors = cursors;
    this.writes = writes;
    writes.forEach((space, own) -> counts.put(space, own.count()));
  }

  private SpaceCore core(Space space) {
    return SpaceHandle.coreOf(space, transaction.store());
  }

  private int count(SpaceCore space) {
    return counts.getOrDefault(space, 0);
  }

  @Override
  public Cursor cursor(Space space, Range range) {
    return cursors.open(space, range, count(core(space)));
  }

  @Override
  public byte @Nullable [] get(Space space, byte[] key) {
    if (!isWritten(space, key)) {
      return transaction.get(space, key);
    }
    try (Cursor cursor = cursor(space, Range.exactly(key))) {
      return cursor.next() ? cursor.value() : null;
    }
  }

  @Override
  public boolean isWritten(Space space, byte[] key) {
    SpaceCore live = core(space);
    SpaceWrites own = writes.get(live);
    return own != null && own.isWrittenSince(count(live), key);
  }
}
